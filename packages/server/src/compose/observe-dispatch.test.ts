import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../edge/metrics.ts";
import { createDispatchEvents } from "./observe-dispatch.ts";

test("each silence of a rail counts, and is told once in ten seconds, each rail's by itself", async () => {
  const told: unknown[] = [];
  let now = 1_000;
  const metrics = createMetrics();
  const log = {
    warn: (message: string, fields?: { count?: number | undefined }) => void told.push([message, fields?.count]),
    error: () => undefined,
  };
  const { silent } = createDispatchEvents({ metrics, log, clock: { real: () => now } });
  const error = new Error("no answer");
  silent("rtgs", error);
  silent("skn", error);
  now += 9_999;
  silent("rtgs", error);
  now += 1;
  silent("rtgs", error);
  assert.deepEqual(told, [
    ["The rtgs rail did not answer.", 1],
    ["The skn rail did not answer.", 1],
    ["The rtgs rail did not answer.", 3],
  ]);
  const text = await metrics.render();
  assert.match(text, /^titian_rail_silences_total\{rail="rtgs"\} 3$/m);
  assert.match(text, /^titian_rail_silences_total\{rail="skn"\} 1$/m);
});
