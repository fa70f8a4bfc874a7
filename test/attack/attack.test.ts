// The short form of `npm run torture -- attack`: nothing is said of times here, machines differ.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { patterns } from "./patterns.ts";
import { measure } from "./run-attack.ts";

const memoryMostMiB = 768;
/** While 1,500 bodies of 1 MiB are rejected, again and again. */
const rejectedMostMiB = 400;
const rejectedBodies = "1,500 rejected bodies of 1 MiB";
const short = [
  "pipelined GET /metrics",
  "2,240 unfinished bodies in a partner's name",
  "300 never read documentation",
  "calls with wrong signatures in a partner's name",
  "10,000 rejected calls of 64 KiB a minute in debug mode",
];

test("rejected bodies leave no memory behind", async (t) => {
  await using sandbox = await startSandbox();
  const [pattern] = patterns.filter(({ name }) => name === rejectedBodies);
  assert.ok(pattern);
  const { rejected, memoryMiB } = await measure({ sandbox, address: "127.0.0.2", forMs: 1_000 }, pattern);
  t.diagnostic(`${pattern.name}: ${memoryMiB} MiB`);
  assert.deepEqual(rejected, []);
  assert.ok(memoryMiB <= rejectedMostMiB, `${memoryMiB} MiB`);
});

test("whatever strangers send, a partner's calls are answered and memory stays bounded", async (t) => {
  await using sandbox = await startSandbox();
  for (const pattern of patterns.filter(({ name }) => short.includes(name))) {
    const { calls, p99Ms, rejected, memoryMiB } = await measure(
      { sandbox, address: "127.0.0.2", forMs: 1_000 },
      pattern,
    );
    t.diagnostic(`${pattern.name}: ${calls} calls, p99 ${Math.round(p99Ms)} ms, ${memoryMiB} MiB`);
    assert.deepEqual(rejected, [], pattern.name);
    assert.ok(memoryMiB < memoryMostMiB, `${pattern.name}: ${memoryMiB} MiB`);
  }
});
