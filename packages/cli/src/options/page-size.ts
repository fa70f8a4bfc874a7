/** `--limit` of list commands: rows of a page. */
import { usageError } from "../cli-error.ts";

export const pageSizeDefault = "50";
/** Default number of calls, and of the items of a bulk. */
export const shortPageDefault = String(20);
const pageSizeMax = 1_000;
/** Each comes with its attempts. */
export const notificationPageMax = 100;

/** Largest page of the sandbox's record. */
export const callPageMax = 200;

export const limitHelp = limitHelpOf(pageSizeMax);

export function limitHelpOf(max: number): string {
  return `maximum rows, up to ${max}`;
}

/** The text that a call takes. @throws CliError that names the option when the limit is out of range. */
export function pageSizeOf(limit: string, option = "--limit", max = pageSizeMax): string {
  const size = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (size >= 1 && size <= max) return String(size);
  throw usageError(`${option} ${limit} is not a number from 1 to ${max}.`);
}
