/** Reach of the known holidays, as a figure and as a warning while there is time (docs/guides/operating.md). */
import { formatTimestamp } from "@titian/contract";
import { type HolidaysAhead, holidaysAhead } from "../../ledger/rails/holidays-ahead.ts";
import type { Holidays } from "../../ledger/rails/terms.ts";
import type { Core } from "../core.ts";

/** Next year's calendar is published and put in place within this time. */
const warnBelowDays = 60;

/** Registers the figure, and warns in the log, once, if they end soon. Reads business time: call it when that is known. */
export function observeHolidays({ nodeMetrics: metrics, log, clock, reference, config }: Core): void {
  const { holidays } = reference.current().rails;
  const description = {
    name: "titian_holiday_calendar_days_remaining",
    help: "Days until the last known holiday; 0 from that day on.",
  };
  metrics.gauge(description, () => holidaysAhead(holidays, clock.now()).days);
  const warning = warnOfHolidays(holidays, clock.now(), config.railFiles.holidays);
  if (warning !== undefined) log.warn("holiday_calendar.ending", warning);
}

/** Warning of a calendar that ends soon, or has ended, with what to do; undefined: it does not. */
export function warnOfHolidays(holidays: Holidays, now: number, file: string | undefined): string | undefined {
  const ahead = holidaysAhead(holidays, now);
  if (ahead.days >= warnBelowDays) return undefined;
  const from = file ?? "the file that comes with this release";
  return (
    `${describeEnd(ahead, formatTimestamp(now).slice(0, 10))}: with no holiday to come, every day from Monday to ` +
    "Friday counts as a working day, and rails with hours take transfers on it. Put Bank Indonesia's next calendar " +
    `into a file, name it in TITIAN_HOLIDAYS_FILE, and restart each node. Read now: ${from}.`
  );
}

function describeEnd({ last, days }: HolidaysAhead, today: string): string {
  if (last === undefined) return "No holiday is known";
  if (last < today) return `The last holiday known was on ${last}`;
  return `The last holiday known is on ${last}, in ${days} days`;
}
