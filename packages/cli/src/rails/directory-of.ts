/** The folder of a file rail. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RailName } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { usageError } from "../cli-error.ts";

/** The given one, else that in TITIAN_RAIL_DIRECTORY. @throws when there is none. */
export function directoryOf(rail: RailName, given: string | undefined): string {
  const { railDirectory } = loadConfig({ needsSecrets: false });
  const directory = given ?? (railDirectory && join(railDirectory, rail));
  if (directory === undefined) throw usageError("TITIAN_RAIL_DIRECTORY is not set: name the rail's folder.");
  if (!existsSync(directory)) throw usageError(`There is no folder ${directory}.`);
  return directory;
}
