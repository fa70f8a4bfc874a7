// Two currencies between two cells: one that waits, for a third cell or for a row, keeps the other one waiting for nothing.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import { CellAway } from "../../packages/server/src/transit/cell-away.ts";
import type { LostAccounts } from "../../packages/server/src/transit/receive-account.ts";
import { eventually } from "../support/black-box/answers.ts";
import { acrossCommand, inNo, ship, spoil, startEngine, useCell } from "./transit-fixture.ts";

const [a, b] = [await useCell(), await useCell()];
for (const { ownerUrl } of [a, b])
  await spoil(ownerUrl, "update accounts set currency = 'USD' where account_no in ('11', '12')");
const [from, to] = [await startEngine(a.url), await startEngine(b.url)];
after(async () => {
  for (const engine of [from, to]) await engine.close();
  for (const cell of [a, b]) await cell[Symbol.asyncDispose]();
});

const sent: Record<string, number> = { IDR: 0, USD: 0 };
/** Answers the entry. */
async function send(currency: "IDR" | "USD") {
  const [payer, payee] = currency === "IDR" ? ["1", "2"] : ["11", "12"];
  const { kind } = await from.submit(acrossCommand({ from: payer, to: payee, amount: 10n, currency }));
  assert.equal(kind, "effect");
  sent[currency] = (sent[currency] ?? 0) + 1;
  return { currency, version: sent[currency] };
}

const shipTo = (engine: Pick<Engine, "submit">, lost?: LostAccounts) =>
  ship(a.url, { url: b.url, engine, ...(lost && { lost }) }, { currencies: ["IDR", "USD"] });

test("a lost account that a silent third cell may have left holds up its currency alone, and that cell is told", async () => {
  let isSilent = true;
  const open = async () => {
    if (isSilent) throw new CellAway(7, new Error("it does not answer"));
  };
  await using shipping = shipTo(to, { isHere: (accountNo) => accountNo === "2", open });
  const { shipper, told } = shipping;
  const rupiah = await send("IDR");
  shipper.poke("IDR");
  await eventually(() => told.length > 0, 5);
  for (let times = 0; times < 3; times += 1)
    assert.ok(await shipper.waitForMirror(await send("USD"), 60_000), "the other currency goes on");
  assert.equal(await shipper.waitForMirror(rupiah, 20), false);
  assert.equal(shipper.behind()?.entries, 1);
  assert.deepEqual(told, ["away: 7"]);
  isSilent = false;
  assert.ok(await shipper.waitForMirror(rupiah, 60_000));
  await eventually(() => told.length > 1, 5);
  assert.deepEqual(told, ["away: 7", "back: 7"]);
});

test("a currency whose page hangs, as where a payee's row is locked, holds up no other one", async () => {
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  let isHanging = false;
  const submit: Engine["submit"] = async (command) => {
    if (command.locks.accountNumbers?.includes(inNo)) {
      isHanging = true;
      await freed;
    }
    return to.submit(command);
  };
  await using shipping = shipTo({ submit });
  using _freed = { [Symbol.dispose]: free };
  const { shipper, told } = shipping;
  const rupiah = await send("IDR");
  shipper.poke("IDR");
  await eventually(() => isHanging, 5);
  for (let times = 0; times < 3; times += 1) assert.ok(await shipper.waitForMirror(await send("USD"), 60_000));
  assert.equal(await shipper.waitForMirror(rupiah, 20), false);
  free();
  assert.ok(await shipper.waitForMirror(rupiah, 60_000));
  assert.deepEqual(told, []);
});
