/** `--limit` of commands that list: how many rows a page has. */
import { usageError } from "./cli-error.ts";

export const pageSizeDefault = "50";
const most = 1_000;

/** @throws when it is no whole number of rows that a page may have. */
export function pageSizeOf(limit: string): number {
  const size = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (size >= 1 && size <= most) return size;
  throw usageError(`--limit ${limit} is no number from 1 to ${most}.`);
}
