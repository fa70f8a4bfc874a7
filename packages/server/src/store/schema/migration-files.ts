/** The numbered files of a release's schema. A file that has landed is frozen: a database knows it by its SHA-256. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { concurrentMark } from "./concurrent-migration.ts";

/** This release's migrations. */
export const migrationsFolder = new URL("../migrations/", import.meta.url);

export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Nodes of releases before it cannot work on the schema that it makes. */
  readonly breaking: boolean;
  readonly concurrent: boolean;
  /** Hash of the file, in lower-case hex. */
  readonly sha256: string;
  readonly sql: string;
}

const breakingMark = "-- breaking";

export function readMigrations(folder = migrationsFolder): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), "utf8");
      return {
        number: Number(file.slice(0, 4)),
        name: file.slice(0, -4),
        breaking: sql.startsWith(breakingMark),
        concurrent: sql.startsWith(concurrentMark),
        sha256: hash("sha256", sql, "hex"),
        sql,
      };
    });
}
