/**
 * Points in time as they travel: ISO 8601 text with seconds, an optional fraction and an optional offset
 * (decisions D5, D18). Own code: no `Intl`, no time-zone data, no leniency of `Date.parse`.
 */

const shape = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})?$/;

/** The same as a pattern of the documents, which cannot know how long a month is; and its offset. */
export const timestampPattern = [
  "(?:19|2[0-9])[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
  "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?",
].join("");
export const offsetPattern = "Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]";

const jakartaOffsetMs = 7 * 3_600_000;
const longestTimestamp = "2026-11-21T10:00:00.000000000+07:00".length;

/** Years outside are rejected: Go's zero time (year 1) is a caller's bug, and no offset can leave the four digits. */
const firstYear = 1900;
const lastYear = 2999;

/** Offset of `Z` or `±hh:mm` in milliseconds; undefined when it is no offset of a day's clock. */
function parseOffset(text: string): number | undefined {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  const ms = (hours * 60 + minutes) * 60_000;
  return text.startsWith("-") ? -ms : ms;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Milliseconds since the epoch of `YYYY-MM-DDThh:mm:ss[.fraction][Z|±hh:mm]`, or undefined when the text is not such
 * a time on a real calendar day. Without an offset the time is Asia/Jakarta (spec D5); digits of the fraction
 * after the third are cut off. Years 1900 to 2999.
 */
export function parseTimestamp(text: string): number | undefined {
  if (text.length > longestTimestamp) return undefined;
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  const second = Number(parts[6]);
  if (year < firstYear || year > lastYear || month < 1 || month > 12) return undefined;
  if (day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetMs = parts[8] === undefined ? jakartaOffsetMs : parseOffset(parts[8]);
  if (offsetMs === undefined) return undefined;
  const fractionMs = parts[7] === undefined ? 0 : Number(parts[7].slice(0, 3).padEnd(3, "0"));
  return Date.UTC(year, month - 1, day, hour, minute, second, fractionMs) - offsetMs;
}

/** True when the text ends in `Z` or `±hh:mm`: the `X-TIMESTAMP` header must (spec D2). */
export function hasOffset(text: string): boolean {
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(text);
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `YYYY-MM-DDThh:mm:ss+07:00` of milliseconds since the epoch: the form of every time in a response (spec D18). */
export function formatTimestamp(ms: number): string {
  const local = new Date(ms + jakartaOffsetMs);
  const date = `${String(local.getUTCFullYear()).padStart(4, "0")}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
  return `${date}T${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}+07:00`;
}
