/**
 * Which directory is a rail's: its id stands in `rail.json` there, and in the database. Two directories for one rail
 * would pay twice: a number that one was handed is unknown in the other.
 */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RailName, RailRecords } from "@titian/server/rails";
import { replaceFile } from "./files/durable-files.ts";
import { readIfThere } from "./files/read-if-there.ts";

/** @throws when the directory is not the one that the database knows, or belongs to another database. */
export async function checkDirectory(
  name: RailName,
  directory: string,
  record: RailRecords["directory"],
): Promise<void> {
  const path = join(directory, "rail.json");
  const own = readId(path);
  const known = await record.read();
  if (known !== undefined && known !== own) throw new Error(anotherDirectory(name, directory, known));
  if (known !== undefined) return;
  const isUsed = readdirSync(directory).some((file) => file.startsWith("instructions"));
  if (own !== undefined && isUsed) {
    throw new Error(
      `${directory} has instructions of another database: this one has never worked with it. If it is this service's (the database was restored from a time before it), delete ${path}.`,
    );
  }
  const id = own ?? randomUUID();
  if (own === undefined) await replaceFile(path, `${JSON.stringify({ rail: name, id })}\n`);
  const claimed = await record.claim(id);
  if (claimed !== id) throw new Error(anotherDirectory(name, directory, claimed));
}

function anotherDirectory(name: RailName, directory: string, id: string): string {
  return `The ${name} rail works with the directory whose rail.json has the id ${id}; ${directory} is another one, and two directories pay twice. Set TITIAN_RAIL_DIRECTORY to where that one is. If it is gone for good: titian rails release-directory ${name}.`;
}

function readId(path: string): string | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const found = /^\{"rail":"[a-z]+","id":"([0-9a-f-]{36})"\}\n$/.exec(text);
  if (!found) throw new Error(`${path} cannot be read. Restore it.`);
  return found[1];
}
