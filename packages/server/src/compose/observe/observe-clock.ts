/** The comparison of this node's clock with the database's, as a figure and log lines (spec D10). */
import { type ClockCheck, createClockCheck } from "../../jobs/clock-check.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Log } from "../../observability/log.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";

interface ClockDeps {
  readonly clock: Clock;
  readonly adminPool: StatementPool;
  readonly metrics: Metrics;
  readonly log: Log;
}

export function checkClock({ clock, adminPool: pool, metrics, log }: ClockDeps): ClockCheck {
  const check = createClockCheck({
    clock,
    pool,
    onChange: (agrees, differenceMs) => {
      const fields = { differenceMs: Math.round(differenceMs) };
      if (agrees) log.warn("clock.synchronized", "The clocks of node and database agree again; jobs run.", fields);
      else
        log.error("clock.skewed", "The clocks of node and database differ by more than 5 s; jobs are paused.", fields);
    },
  });
  const help = "Clock of this node minus clock of the database.";
  metrics.gauge({ name: "titian_clock_difference_seconds", help }, () => {
    const differenceMs = check.differenceMs();
    return differenceMs === undefined ? [] : [{ labels: {}, value: differenceMs / 1_000 }];
  });
  return check;
}
