import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../observability/log.ts";
import { createMetrics } from "../../observability/metrics.ts";
import { RailDown } from "../../rails/rail.ts";
import { RailTimeout } from "../../rails/bounded-calls.ts";
import { parseState } from "../../rails/results/parse-result.ts";
import { createDispatchEvents } from "./observe-dispatch.ts";

test("each failed call to a rail counts by its reason, and is logged once in ten seconds for each rail", async () => {
  const told: unknown[] = [];
  let now = 1_000;
  const metrics = createMetrics();
  const log = {
    warn: (event: string, _message: string, fields?: { rail?: string | undefined; count?: number | undefined }) =>
      void told.push([event, fields?.rail, fields?.count]),
    error: () => undefined,
  };
  const { callFailed } = createDispatchEvents({ metrics, log, clock: { real: () => now } });
  const error = new RailTimeout("no answer");
  callFailed("rtgs", error);
  callFailed("skn", error);
  now += 9_999;
  callFailed("rtgs", error);
  now += 1;
  callFailed("rtgs", error);
  assert.deepEqual(told, [
    ["rail.call_failed", "rtgs", 1],
    ["rail.call_failed", "skn", 1],
    ["rail.call_failed", "rtgs", 3],
  ]);
  callFailed("skn", new RailDown("rejected"));
  callFailed(
    "skn",
    thrownBy(() => parseState(null)),
  );
  callFailed("skn", new Error("a fault"));
  const text = await metrics.render();
  assert.deepEqual(text.match(/(?<=^titian_rail_call_failures_total).*$/gm), [
    '{rail="rtgs",reason="timeout"} 3',
    '{rail="skn",reason="timeout"} 1',
    '{rail="skn",reason="unreachable"} 1',
    '{rail="skn",reason="invalid_response"} 1',
    '{rail="skn",reason="error"} 1',
  ]);
});

test("results that are not set aside are logged once in ten seconds for each rail if they come again, else each", () => {
  const lines: string[] = [];
  let now = 1_000;
  const log = createLog({ level: "error", destination: { write: (line) => void lines.push(line) } });
  const { notSetAside } = createDispatchEvents({ metrics: createMetrics(), log, clock: { real: () => now } });
  const fail = (comesAgain: boolean) => {
    const result = { rail: "skn", referenceNo: "1", state: "returned", traceNo: "SK1", comesAgain } as const;
    notSetAside(result, new Error("away"));
  };
  for (const comesAgain of [true, true, false, false]) fail(comesAgain);
  now += 10_000;
  fail(true);
  const told = lines
    .map((line) => JSON.parse(line))
    .map(({ event, status, traceNo, count }) => [event, status, traceNo, count]);
  assert.deepEqual(told, [
    ["rail.set_aside_failed", "returned", "SK1", 1],
    ["rail.status_conflict_lost", "returned", "SK1", undefined],
    ["rail.status_conflict_lost", "returned", "SK1", undefined],
    ["rail.set_aside_failed", "returned", "SK1", 3],
  ]);
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
