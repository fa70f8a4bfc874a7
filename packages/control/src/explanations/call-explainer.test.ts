// Calls that wait for an explanation are bounded in number and in bytes, and are no longer the service's own body.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExplainableCall } from "./call-evidence.ts";
import { createSecretFinder } from "@titian/explain";
import { createCallExplainer } from "./call-explainer.ts";

function callOf(body: Uint8Array): ExplainableCall {
  return {
    id: "1",
    at: 0,
    businessTime: 0,
    method: "POST",
    target: "/v1.0/transfer-intrabank",
    rawHeaders: [],
    body,
    address: "127.0.0.1",
    operation: "intrabankTransfer",
    partnerId: undefined,
    isAuthenticated: false,
    rejectedAt: 10,
    rejection: { case: "badRequest", reason: "Not JSON" },
    fault: undefined,
    status: 400,
    responseCode: "4001700",
    response: "",
    durationMs: 1,
  };
}

function start() {
  let at = 0;
  const clock = { monotonic: () => (at += 1) };
  const secrets = () => createSecretFinder([]);
  return createCallExplainer({ clock, paths: { prefixes: [""], versions: ["v1.0"] }, secrets, knownFor: () => [] });
}

for (const [bytes, waiting] of [
  [0, 32],
  [100_000, 20],
  [262_144, 7],
  [8_388_608, 32],
] as const) {
  test(`of calls in debug mode with bodies of ${bytes} bytes ${waiting} wait beside the one that is explained`, async () => {
    await using explainer = start();
    const call = callOf(new Uint8Array(bytes));
    const asked = Array.from({ length: 60 }, () => explainer.explainIfIdle(call));
    const busy = asked.map((explained) => Promise.race([explained, Promise.resolve(undefined)]));
    assert.equal((await Promise.all(busy)).filter((explained) => explained === "busy").length, 59 - waiting);
  });
}

test("a body that changes while its call waits is explained as it came", async () => {
  await using explainer = start();
  const body = Buffer.from('{"a":True}');
  const [first, second] = [explainer.explain(callOf(body)), explainer.explain(callOf(body))];
  body.fill(0);
  for (const explained of [await first, await second]) {
    assert.equal(typeof explained === "object" && explained.report.diagnosis.sentenceId, "json.word");
  }
});
