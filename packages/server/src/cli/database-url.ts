/** The database a command works on. */
import { type Config, loadConfig } from "../config.ts";
import { usageError } from "./cli-error.ts";

/** `DATABASE_URL`. @throws CliError with the reason when it is not set. */
export function requireDatabaseUrl(reason: string): string {
  return databaseUrlOf(loadConfig({ needsSecrets: false }), reason);
}

export function databaseUrlOf({ databaseUrl }: Config, reason: string): string {
  if (databaseUrl !== undefined) return databaseUrl;
  throw usageError(`DATABASE_URL is not set. ${reason}`);
}
