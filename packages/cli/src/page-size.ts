/** `--limit` of list commands: rows of a page. */
import { usageError } from "./cli-error.ts";

export const pageSizeDefault = "50";
const pageSizeMax = 1_000;

export const limitHelp = `maximum rows, up to ${pageSizeMax}`;

/** @throws CliError that names the option when the limit is out of range. */
export function pageSizeOf(limit: string, option = "--limit"): number {
  const size = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (size >= 1 && size <= pageSizeMax) return size;
  throw usageError(`${option} ${limit} is not a number from 1 to ${pageSizeMax}.`);
}
