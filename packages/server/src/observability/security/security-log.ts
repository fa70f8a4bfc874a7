/**
 * The security log: a stream of lines of its own (ADR 0076). An event waits in memory, is chained when it is written, and never
 * holds up who tells it. Where there is no room, or one partner has too many, events are counted in place of lines.
 */
import type { Clock } from "../../basics/clock.ts";
import type { Log } from "../log.ts";
import { limitRate } from "../limit-rate.ts";
import { createEventBuckets } from "./event-buckets.ts";
import { type NotedEvent, openLogWriter } from "./log-writer.ts";
import type { SecurityEvent, SecurityFacts } from "./security-event.ts";

export interface SecurityLog {
  /** Events of one share are bounded together: a partner's key, or "". The facts are asked for where the event gets a line. */
  add(event: SecurityEvent, share: string, facts: () => SecurityFacts): void;
}

interface SecurityCounts {
  /** Lines by event. */
  readonly written: ReadonlyMap<SecurityEvent, number>;
  /** Events without a line. */
  readonly omitted: number;
  /** Failed writes. */
  readonly failures: number;
}

export interface OpenSecurityLog extends SecurityLog, AsyncDisposable {
  readonly counts: () => SecurityCounts;
}

interface SecurityLogDeps {
  readonly path: string;
  readonly clock: Pick<Clock, "real" | "monotonic">;
  readonly log: Log;
}

const writesEveryMs = 200;
/** Events in memory; as many lines may be on their way to the file. */
const waitingMax = 5_000;

/** @throws where the file cannot be opened. */
export async function openSecurityLog({ path, clock, log }: SecurityLogDeps): Promise<OpenSecurityLog> {
  const buckets = createEventBuckets(clock);
  const altered = "The security log was changed by somebody else than this process.";
  const onAltered = () => log.error("security_log.altered", altered);
  const onFailure = limitRate(clock, (count: number, error: unknown) =>
    log.error("security_log.failed", "The security log cannot be written; calls go on.", { error, count }),
  );
  const writer = await openLogWriter({ path, now: clock.real, onAltered });
  let waiting: NotedEvent[] = [];
  let omitted = 0;
  let omittedTold = 0;
  let failures = 0;
  let running: Promise<void> | undefined;

  const note = (event: SecurityEvent, facts: SecurityFacts = {}) => waiting.push({ event, at: clock.real(), facts });
  const take = () => {
    const taken = waiting;
    waiting = [];
    return taken;
  };

  /** One write at a time; it never rejects. */
  function flush(): Promise<void> {
    if (omitted > omittedTold && waiting.length <= waitingMax && !writer.isBehind()) {
      note("log.omitted", { count: omitted - omittedTold });
      omittedTold = omitted;
    }
    if (waiting.length === 0 && !writer.isBehind()) return Promise.resolve();
    running ??= writer
      .write(take)
      .catch((error: unknown) => {
        failures += 1;
        onFailure(error);
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  note("log.opened", writer.opening);
  await flush();
  const timer = setInterval(() => void flush(), writesEveryMs).unref();

  return {
    add(event, share, facts) {
      if (waiting.length >= waitingMax || !buckets.admit(`${event} ${share}`)) omitted += 1;
      else note(event, facts());
    },
    counts: () => ({ written: writer.written, omitted, failures }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
      note("log.closed");
      await flush();
      await writer.close();
    },
  };
}
