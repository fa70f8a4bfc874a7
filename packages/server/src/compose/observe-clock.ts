/** The comparison of this node's clock with the database's, as a figure and log lines (decision D10). */
import { type ClockCheck, createClockCheck } from "../duties/clock-check.ts";
import type { Core } from "./core.ts";

export function checkClock({ clock, adminPool: pool, metrics, log }: Omit<Core, "clockCheck">): ClockCheck {
  const check = createClockCheck({
    clock,
    pool,
    onChange: (agrees, differenceMs) => {
      const fields = { event: agrees ? "clock.agrees" : "clock.skewed", differenceMs: Math.round(differenceMs) };
      if (agrees) log.warn("This node's clock agrees with the database's again: its jobs run.", fields);
      else log.error("This node's clock and the database's differ by more than 5 s: its jobs wait.", fields);
    },
  });
  const help = "By how much this node's clock is ahead of the database's.";
  metrics.gauge({ name: "titian_clock_difference_seconds", help }, () => {
    const differenceMs = check.differenceMs();
    return differenceMs === undefined ? [] : [{ labels: {}, value: differenceMs / 1_000 }];
  });
  return check;
}
