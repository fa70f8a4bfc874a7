// The short form of `npm run torture -- attack`: nothing is said of times here, machines differ.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { patterns } from "./patterns.ts";
import { measure } from "./run-attack.ts";

const memoryMostMiB = 768;
const short = [
  "pipelined GET /metrics",
  "2,240 unfinished bodies in a partner's name",
  "300 never read documentation",
  "calls with wrong signatures in a partner's name",
  "10,000 refused calls of 64 KiB a minute in debug mode",
];

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
