/** While the database is away every read fails, each with a line that says nothing more: one of them is logged in a while. */
import type { Clock } from "../../basics/clock.ts";
import { limitRate } from "../../observability/limit-rate.ts";
import type { Log } from "../../observability/log.ts";
import { isDatabaseAway } from "../../store/postgres/database-away.ts";
import { UnconfirmedRead } from "../../store/postgres/confirmation/waiting-reads.ts";

type Fields = Parameters<Log["error"]>[2];

/** The same log; of requests that failed for want of the database one line in ten seconds, with the count of them. */
export function limitOutageLines(log: Log, clock: Pick<Clock, "monotonic">): Log {
  const failed = limitRate(clock, (count, message: string, fields: Fields) =>
    log.error("http.request_failed", message, { ...fields, count }),
  );
  return {
    isDebug: log.isDebug,
    debug: log.debug,
    warn: log.warn,
    error: (event, message, fields) => {
      const error = fields?.error;
      const isOutage = error instanceof UnconfirmedRead || isDatabaseAway(error);
      if (event === "http.request_failed" && isOutage) failed(message, fields);
      else log.error(event, message, fields);
    },
  };
}
