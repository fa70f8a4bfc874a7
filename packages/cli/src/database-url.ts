/** The database a command works on. */
import { loadConfig } from "@titian/server/admin";
import { usageError } from "./cli-error.ts";
import { readSandboxFile, sandboxFilePath } from "./sandbox/sandbox-file.ts";

/** `DATABASE_URL`. @throws CliError with the reason when it is not set. */
export function requireDatabaseUrl(reason: string): string {
  const { databaseUrl } = loadConfig({ needsSecrets: false });
  if (databaseUrl !== undefined) return databaseUrl;
  throw usageError(`DATABASE_URL is not set. ${reason}`);
}

export interface FoundDatabase {
  readonly url: string;
  /** Where the URL was found, for the user. */
  readonly source: string;
}

/** The sandbox file if one is named, else `DATABASE_URL`, else the running sandbox's. @throws CliError */
export function findDatabaseUrl(sandboxFile: string | undefined): FoundDatabase {
  const { databaseUrl } = loadConfig({ needsSecrets: false });
  if (sandboxFile === undefined && databaseUrl !== undefined) return { url: databaseUrl, source: "DATABASE_URL" };
  const path = sandboxFilePath(sandboxFile);
  return { url: readSandboxFile(path).databaseUrl, source: path };
}
