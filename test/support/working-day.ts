/** A day on which every rail is open, and on the next day, too: none that a test names becomes the past. */
import { readFileSync } from "node:fs";

export const dayMs = 86_400_000;
const jakartaMs = 7 * 3_600_000;

const file = new URL("../../packages/server/data/holidays.json", import.meta.url);
const holidays = new Set(
  (JSON.parse(readFileSync(file, "utf8")) as { readonly date: string }[]).map(({ date }) => date),
);
const isHoliday = (day: number) => holidays.has(new Date(day * dayMs).toISOString().slice(0, 10));

/** The next Monday in Jakarta, never today, in days since 1970-01-01. */
export function nextMonday(): number {
  const tomorrow = Math.floor((Date.now() + jakartaMs) / dayMs) + 1;
  // 1970-01-01 was a Thursday.
  return tomorrow + ((11 - (tomorrow % 7)) % 7);
}

/** That is no holiday, nor the day behind it. */
function workingMonday(): number {
  let day = nextMonday();
  while (isHoliday(day) || isHoliday(day + 1)) day += 7;
  return day;
}

/** That time of a working Monday in Jakarta, as epoch ms: `workingTime(10, 5)` is 10:05. */
export function workingTime(hour: number, minute = 0): number {
  return workingMonday() * dayMs + (hour * 60 + minute) * 60_000 - jakartaMs;
}
