/** Hours and settlements of a rail, by Jakarta's clock and calendar (spec D11, D18). */
import { businessDay, dateOf, instantOf, isWeekend, minuteOfDay, timeOfDay } from "../business-day.ts";
import type { Holidays, RailTerms } from "./terms.ts";
import { type Rejected, reject } from "../rejection.ts";

/** A calendar without a settlement for this long is faulty. */
const daysAhead = 366;

/** True when the instant (epoch ms) lies on a day from Monday to Friday that is no holiday. */
export function isWorkingDay(now: number, holidays: Holidays): boolean {
  return isWorking(businessDay(now), holidays);
}

/** Undefined: the rail is open at the instant (epoch ms). */
export function rejectHours(
  { hours }: Pick<RailTerms, "hours">,
  holidays: Holidays,
  now: number,
): Rejected | undefined {
  if (hours === undefined) return undefined;
  const minute = minuteOfDay(now);
  const isOpen = minute >= hours.from && minute < hours.to && isWorkingDay(now, holidays);
  return isOpen ? undefined : reject("railClosed", timeOfDay(hours.from));
}

/**
 * When a rail opens next (epoch ms), or closes, where it is open at the instant; undefined: it is always open, or closed
 * for more than a year.
 */
export function nextChange({ hours }: Pick<RailTerms, "hours">, holidays: Holidays, now: number): number | undefined {
  if (hours === undefined) return undefined;
  const today = businessDay(now);
  if (rejectHours({ hours }, holidays, now) === undefined) return instantOf(today, hours.to);
  for (let day = today; day <= today + daysAhead; day++) {
    const opening = instantOf(day, hours.from);
    if (isWorking(day, holidays) && opening > now) return opening;
  }
  return undefined;
}

/**
 * The first settlement strictly after the instant (epoch ms). A rail without settlements settles at once: the instant
 * itself. Undefined: none within a year.
 */
export function nextSettlement(
  { settlements }: Pick<RailTerms, "settlements">,
  holidays: Holidays,
  now: number,
): number | undefined {
  if (settlements === undefined) return now;
  const today = businessDay(now);
  for (let day = today; day <= today + daysAhead; day++) {
    if (!isWorking(day, holidays)) continue;
    const minute = settlements.find((settlement) => instantOf(day, settlement) > now);
    if (minute !== undefined) return instantOf(day, minute);
  }
  return undefined;
}

function isWorking(day: number, holidays: Holidays): boolean {
  return !isWeekend(day) && !holidays.has(dateOf(day));
}
