/** A day on which every rail is open, and on the next day, too: none that a test names becomes the past. */
import { readFileSync } from "node:fs";

const dayMs = 86_400_000;
const jakartaMs = 7 * 3_600_000;

const file = new URL("../../packages/server/data/holidays.json", import.meta.url);
const holidays = new Set(
  (JSON.parse(readFileSync(file, "utf8")) as { readonly date: string }[]).map(({ date }) => date),
);
const isHoliday = (day: number) => holidays.has(new Date(day * dayMs).toISOString().slice(0, 10));

/** Days since 1970-01-01, in Jakarta, of the next Monday that is no holiday, nor the day behind it. */
function nextMonday(): number {
  const today = Math.floor((Date.now() + jakartaMs) / dayMs);
  // 1970-01-01 was a Thursday.
  let day = today + 1 + ((4 - ((today + 1) % 7) + 7) % 7);
  while (isHoliday(day) || isHoliday(day + 1)) day += 7;
  return day;
}

/** That time of it in Jakarta, as epoch ms: `workingTime(10, 5)` is 10:05. */
export function workingTime(hour: number, minute = 0): number {
  return nextMonday() * dayMs + (hour * 60 + minute) * 60_000 - jakartaMs;
}
