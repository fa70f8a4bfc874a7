import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialsOf } from "../../../../../test/support/edge/credentials.ts";
import { createLookUps } from "./look-ups.ts";

test("many different accounts in an hour are told of once, however often each is asked about; the next hour begins anew", () => {
  const lines: string[] = [];
  const state = { now: 0, told: () => 0 as unknown };
  const lookUps = createLookUps({
    clock: { monotonic: () => state.now },
    log: { warn: (event, _message, fields) => lines.push(`${event} ${fields?.partner}`) },
    metrics: {
      counter: (_metric, read) => {
        state.told = read;
      },
      gauge: () => undefined,
      histogram: () => undefined,
    },
    alertAt: 5_000,
  });
  const askUntilTold = (partner: string) => {
    const before = lines.length;
    for (let accounts = 1; accounts <= 10_000; accounts += 1) {
      for (let times = 0; times < 3; times += 1) {
        lookUps.note(credentialsOf(partner), `10010${String(accounts).padStart(5, "0")}`);
      }
      if (lines.length > before) return accounts;
    }
    return undefined;
  };
  const told = askUntilTold("p") ?? 0;
  assert.ok(Math.abs(told - 5_000) < 100, `told at ${told} accounts`);
  assert.deepEqual(lines, ["partner.look_ups p"]);
  assert.equal(askUntilTold("p"), undefined, "once an hour");
  for (let i = 0; i < 4_000; i += 1) lookUps.note(credentialsOf("q"), `${i}`);
  state.now += 3_600_000;
  for (let i = 0; i < 4_000; i += 1) lookUps.note(credentialsOf("q"), `other ${i}`);
  assert.equal(lines.length, 1, "of another partner, over two hours");
  assert.equal(askUntilTold("p"), told);
  assert.equal(state.told(), 2);
});
