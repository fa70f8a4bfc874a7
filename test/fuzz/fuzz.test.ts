// The short form of `npm run fuzz`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { runFuzz } from "./run-fuzz.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);

test("2,000 malformed requests: each gets its envelope, no money moves, the service lives on", async (t) => {
  t.diagnostic(`seed ${seed}`);
  await using sandbox = await startSandbox();
  const { faults, sent, codes, seconds } = await runFuzz({ sandbox, requests: 2_000, seed });
  t.diagnostic(`${sent} requests in ${seconds.toFixed(1)} s; ${codes.size} different answers`);
  assert.deepEqual(faults, []);
  // It reached the readers, not only the guards before them.
  for (const code of [
    "2001700",
    "4001701",
    "4001702",
    "4001700",
    "4041713",
    "4001501",
    "4003602",
    "4002001",
    "4032014",
    "4040000",
    "4000000",
  ]) {
    assert.ok(codes.has(code), `nobody was answered ${code}`);
  }
  assert.deepEqual(await sandbox.service.end("SIGTERM"), { code: 0, signal: null });
});
