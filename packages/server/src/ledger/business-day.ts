/** The business day is Asia/Jakarta's (spec D18): UTC+7, no daylight saving. */

const jakartaOffsetMs = 7 * 3_600_000;
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Number of the business day of an instant (epoch ms), counted from 1970-01-01 in Jakarta. */
export function businessDay(now: number): number {
  return Math.floor((now + jakartaOffsetMs) / dayMs);
}

/** Minutes since midnight in Jakarta of an instant (epoch ms), from 0 to 1439. */
export function minuteOfDay(now: number): number {
  return Math.floor((now + jakartaOffsetMs - businessDay(now) * dayMs) / minuteMs);
}

/** A minute of the day as `06:30`. */
export function timeOfDay(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The instant (epoch ms) of a minute of a business day. */
export function instantOf(day: number, minute: number): number {
  return day * dayMs + minute * minuteMs - jakartaOffsetMs;
}

/** The date of a business day, as `2026-12-25`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The business day of a date, as `2026-12-25`. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

/** True for a business day that is a Saturday or a Sunday. */
export function isWeekend(day: number): boolean {
  // Day 0 was a Thursday.
  const sinceSunday = (((day + 4) % 7) + 7) % 7;
  return sinceSunday === 0 || sinceSunday === 6;
}
