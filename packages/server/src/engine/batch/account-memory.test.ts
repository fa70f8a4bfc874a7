// A session's memory of accounts: bounded, forgetful, and silent where it would mislead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf } from "../../basics/clock.ts";
import { minor } from "../../ledger/money.ts";
import { createAccountMemory } from "./account-memory.ts";

let nowMs = 0;
const clock = { real: () => nowMs, monotonic: () => nowMs };

const remembered = (number: number, xmin = "7") => ({
  xmin,
  account: {
    id: `id ${number}`,
    accountNo: String(number),
    name: "holder",
    currency: "IDR",
    purpose: "customer" as const,
    type: "S" as const,
    status: "active" as const,
    partners: [],
    balance: minor(0n),
    held: minor(0n),
    version: 0,
    limits: {},
    dailyUse: { day: 0, total: minor(0n), count: 0 },
  },
});

type Memory = ReturnType<typeof createAccountMemory>;

function keep(memory: Memory, ...accounts: readonly ReturnType<typeof remembered>[]): void {
  for (const { account, xmin } of accounts) memory.keep(account, xmin, momentOf(clock));
}

const foundAs = (number: number, xmin: string) => ({ accounts: [remembered(number).account], xmins: [xmin] });

test("an account is found by number and id, as it was kept last", () => {
  const memory = createAccountMemory(clock);
  keep(memory, remembered(1), remembered(2), remembered(1, "8"));
  assert.deepEqual([memory.find("1")?.xmin, memory.find("id 1")?.xmin, memory.find("2")?.xmin], ["8", "8", "7"]);
  assert.equal(memory.find("3"), undefined);
});

test("an account is refreshed only where it is remembered", () => {
  const memory = createAccountMemory(clock);
  keep(memory, remembered(1));
  for (const { account, xmin } of [remembered(1, "8"), remembered(2, "8")])
    memory.refresh(account, xmin, momentOf(clock));
  assert.deepEqual([memory.find("1")?.xmin, memory.find("2")], ["8", undefined]);
});

test("an account is forgotten after an hour, by whichever clock", () => {
  const memory = createAccountMemory(clock);
  keep(memory, remembered(1));
  nowMs += 3_600_000;
  assert.ok(memory.find("1"));
  nowMs += 1;
  assert.equal(memory.find("1"), undefined);
});

test("of more than 50,000 accounts, those are forgotten that were met first", () => {
  const memory = createAccountMemory(clock);
  for (let number = 0; number < 50_000; number += 1) keep(memory, remembered(number));
  keep(memory, remembered(0), remembered(50_000));
  assert.deepEqual(
    ["0", "1", "50000"].map((name) => memory.find(name) !== undefined),
    [false, true, true],
  );
});

test("an account that missed twice in a row is left alone for a second, also where it is kept meanwhile", () => {
  const memory = createAccountMemory(clock);
  keep(memory, remembered(1, "1"));
  memory.correct(foundAs(1, "2"));
  assert.ok(memory.find("1"));
  memory.correct(foundAs(1, "3"));
  keep(memory, remembered(1, "4"));
  assert.equal(memory.find("1"), undefined);
  nowMs += 1_000;
  assert.equal(memory.find("1")?.xmin, "4");
});

test("a batch that was written from memory ends a row of misses; one of another account does not", () => {
  const memory = createAccountMemory(clock);
  keep(memory, remembered(1, "1"), remembered(2, "1"));
  memory.correct(foundAs(1, "2"));
  memory.confirm([remembered(2)]);
  memory.correct(foundAs(1, "3"));
  assert.equal(memory.find("1"), undefined);
  memory.correct(foundAs(2, "2"));
  memory.confirm([remembered(2)]);
  memory.correct(foundAs(2, "3"));
  assert.ok(memory.find("2"));
});

test("while most batches miss, the whole memory is left alone for a second", () => {
  const memory = createAccountMemory(clock);
  const miss = (number: number) => memory.correct(foundAs(number, "9"));
  for (let number = 0; number < 6; number += 1) miss(number);
  assert.equal(memory.isUnreliable(), false);
  miss(6);
  assert.equal(memory.isUnreliable(), true);
  nowMs += 1_000;
  assert.equal(memory.isUnreliable(), false);
  for (let batch = 0; batch < 20; batch += 1) memory.confirm([]);
  for (let number = 0; number < 5; number += 1) miss(number);
  assert.equal(memory.isUnreliable(), false);
});
