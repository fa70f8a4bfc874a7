import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../../observability/metrics.ts";
import { observeClaims } from "./observe-claims.ts";

test("each item of an unconfirmed claim counts by its job, and a job logs one line in ten seconds", async () => {
  const told: unknown[] = [];
  let now = 0;
  const metrics = createMetrics();
  const warn = (event: string, _message: string, fields?: { job?: string | undefined; count?: number | undefined }) =>
    void told.push([event, fields?.job, fields?.count]);
  const onUnconfirmed = observeClaims({ metrics, log: { warn }, clock: { monotonic: () => now } });
  onUnconfirmed("send-bulk-items", 128);
  onUnconfirmed("deliver-notifications", 40);
  now += 9_999;
  onUnconfirmed("send-bulk-items", 1);
  now += 1;
  onUnconfirmed("send-bulk-items", 1);
  assert.deepEqual(told, [
    ["claim.unconfirmed", "send-bulk-items", 128],
    ["claim.unconfirmed", "deliver-notifications", 40],
    ["claim.unconfirmed", "send-bulk-items", 130],
  ]);
  const text = await metrics.render();
  assert.deepEqual(text.match(/(?<=^titian_unconfirmed_claims_total).*$/gm), [
    '{job="send-bulk-items"} 130',
    '{job="deliver-notifications"} 40',
  ]);
});
