/** Goal: an outage of the database fills no disk with lines that all say the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../observability/log.ts";
import { createMetrics } from "../../observability/metrics.ts";
import { UnconfirmedRead } from "../../store/postgres/confirmation/waiting-reads.ts";
import { createDatabaseFaults } from "./database-faults.ts";
import { limitOutageLines } from "./limit-outage-lines.ts";
import { createEngineEvents } from "./observe-engine.ts";

function logged() {
  let now = 0;
  const lines: { readonly event: string; readonly count?: number; readonly reason?: string }[] = [];
  const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const clock = { monotonic: () => now, real: () => now };
  const take = () => lines.splice(0).map(({ event, reason, count }) => [event, reason, count]);
  return { log, clock, take, later: () => void (now += 10_000) };
}

test("requests that fail for want of the database are logged once in ten seconds, with their count; others have a line each", () => {
  const { log, clock, take, later } = logged();
  const limited = limitOutageLines(log, clock);
  const fail = (error: Error) => limited.error("http.request_failed", "A request failed.", { error });
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  for (const error of [new UnconfirmedRead("late"), refused, refused]) fail(error);
  later();
  fail(refused);
  for (const _ of "ab") fail(new TypeError("ours"));
  const line = (count?: number) => ["http.request_failed", undefined, count];
  assert.deepEqual(take(), [line(1), line(3), line(), line()]);
});

test("failing commits are logged once in ten seconds for each class, with their count", () => {
  const { log, clock, take, later } = logged();
  const metrics = createMetrics();
  const faults = createDatabaseFaults({ clock, metrics, log });
  const { failed } = createEngineEvents({ metrics, log, faults, clock });
  for (const kind of ["lost", "lost", "lockWait", "lost"] as const) failed(kind, undefined);
  later();
  failed("lost", undefined);
  const line = (reason: string, count: number) => ["commit.failed", reason, count];
  assert.deepEqual(take(), [line("connection_lost", 1), line("lock_timeout", 1), line("connection_lost", 3)]);
});
