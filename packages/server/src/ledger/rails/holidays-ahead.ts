/** Reach of the holiday calendar: after its last day every day from Monday to Friday is a working day. */
import { businessDay, dayOf } from "../business-day.ts";
import type { Holidays } from "./terms.ts";

export interface HolidaysAhead {
  /** The last holiday known, as `2026-12-25`; undefined: none is. */
  readonly last: string | undefined;
  /** Days from the day of `now` to it; 0 on it, after it, and where none is known. */
  readonly days: number;
}

/** `now`: an instant of business time (epoch ms). */
export function holidaysAhead(holidays: Holidays, now: number): HolidaysAhead {
  const last = [...holidays].toSorted().at(-1);
  return { last, days: last === undefined ? 0 : Math.max(0, dayOf(last) - businessDay(now)) };
}
