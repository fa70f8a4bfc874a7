import { findDatabaseUrl } from "../database-url.ts";
import { note } from "../output.ts";

/** The database of the commands of jobs and the owner; it is named on standard error. */
export function openUrl(): string {
  const { url, source } = findDatabaseUrl(undefined);
  note(`Database of ${source}`);
  return url;
}
