import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../basics/clock.ts";
import type { KnownTransfer } from "../commands/event-command.ts";
import { createPendingResponses } from "./pending-responses.ts";
import { type DispatchDeps, recordFinalResult } from "./record-result.ts";

test("a caller whose result another commit recorded is told it from a confirmed read, or that it is unknown", async () => {
  const pendingResponses = createPendingResponses();
  const told = async (findConfirmed: DispatchDeps["findConfirmed"]) => {
    const waiting = pendingResponses.wait("id", 10_000);
    const deps = {
      engine: { submit: async () => ({ kind: "nothing" }) },
      clock: createClock(),
      pendingResponses,
      findConfirmed,
    } as unknown as DispatchDeps;
    const known = { id: "id", rail: "interbank" } as KnownTransfer;
    await recordFinalResult(deps, known, {
      event: "reject",
      rejection: "railDown",
      by: "rail",
      onlyIfNotClaimed: true,
    });
    return waiting;
  };
  const settled = { state: "settled", isResolvedSynchronously: true, traceNo: "7" };
  assert.deepEqual(await told(async () => settled as never), { kind: "settled", traceNo: "7" });
  assert.deepEqual(await told(async () => undefined), { kind: "unknown" });
  assert.deepEqual(await told(() => Promise.reject(new Error("unconfirmed"))), { kind: "unknown" });
});
