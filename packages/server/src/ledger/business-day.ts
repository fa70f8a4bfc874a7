/** The business day is Asia/Jakarta's (decision D18): UTC+7, no daylight saving. */

const jakartaOffsetMs = 7 * 3_600_000;
const dayMs = 86_400_000;

/** Number of the business day of an instant (epoch ms), counted from 1970-01-01 in Jakarta. */
export function businessDay(now: number): number {
  return Math.floor((now + jakartaOffsetMs) / dayMs);
}
