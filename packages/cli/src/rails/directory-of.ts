/** The folder of a file rail. */
import { existsSync } from "node:fs";
import type { RailName } from "@titian/server/admin";
import { railFolder } from "@titian/rail-files";
import { loadConfig } from "@titian/server/config";
import { chosenCell } from "../chosen-cell.ts";
import { usageError } from "../cli-error.ts";

/** The given one, else that of the command's cell in TITIAN_RAIL_DIRECTORY. @throws when there is none. */
export function directoryOf(rail: RailName, given: string | undefined): string {
  const { railDirectory } = loadConfig({ needsSecrets: false });
  const directory = given ?? (railDirectory && railFolder(railDirectory, chosenCell(), rail));
  if (directory === undefined) throw usageError("TITIAN_RAIL_DIRECTORY is not set: name the rail's folder.");
  if (!existsSync(directory)) throw usageError(`There is no folder ${directory}.`);
  return directory;
}
