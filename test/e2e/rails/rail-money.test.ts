/** Money of transfers over rails to the sen (spec D9, D11), by plain HTTP: who pays which fee, what funds and limits look at, and that all is accounted for. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Json } from "../../support/black-box/caller.ts";
import { toMinor } from "../../support/black-box/control.ts";
import { moneyAt, moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectStatus, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control } = fixture;
await fixture.moveTo(fixture.at(0, "09:00:01"));
const rejecting = { beneficiaryAccountNo: fixture.accountOf("rejected") };

const accepted = ({ service }: RailService) => `200${service}00`;
const settleBatch = () => control.call("POST", "rails/skn/settle");

/** Largest part of a fee that the sender pays on top of the amount. */
const sharedMost = 100_000n;
const onTop: Readonly<Record<string, (fee: bigint) => bigint>> = {
  none: (fee) => fee,
  OUR: (fee) => fee,
  BEN: () => 0n,
  SHA: () => sharedMost,
  "1000": () => sharedMost,
};

for (const service of railServices) {
  test(`${service.service}: each fee type takes and sends exactly what it says, and the suspense account is empty afterwards`, async () => {
    for (const [feeType, senderOf] of Object.entries(onTop)) {
      const payer = await fixture.newPayer();
      const moved = await fixture.watch(service.rail, payer);
      const sender = senderOf(service.fee);
      const taken = service.amount + sender;
      const answer = await fixture.send(service, payer, feeType === "none" ? {} : { feeType }, accepted(service));
      assert.deepEqual(answer.body["amount"], idr(service.value), "the request's, whichever side bears the fee");
      if (service === skn) {
        await untilStatus(alpha, skn, answer, "03");
        assert.deepEqual(await moved(), { ...moneyOf(skn).none, payer: -taken, suspense: taken }, feeType);
        await settleBatch();
      }
      await untilStatus(alpha, service, answer, "00");
      const travelled = taken - service.fee;
      assert.deepEqual(
        await moved(),
        { payer: -taken, suspense: 0n, clearing: travelled, fee: service.fee },
        `${feeType}: ${answer.text}`,
      );
      const found = await expectStatus(alpha, service, answer, "00");
      assert.deepEqual(found.body["amount"], idr(service.value));
    }
  });
}

test("funds must cover the amount and the sender's part of the fee, and no more", async () => {
  const cases: readonly (readonly [feeType: string, sender: bigint])[] = [
    ["OUR", interbank.fee],
    ["SHA", sharedMost],
    ["BEN", 0n],
  ];
  for (const [feeType, sender] of cases) {
    const need = interbank.amount + sender;
    const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;
    const poor = await fixture.newPayer(text(need - 1n));
    await fixture.send(interbank, poor, { feeType }, "4031814");
    assert.equal((await control.account(poor)).ledgerBalance, text(need - 1n));
    const exact = await fixture.newPayer(text(need));
    await fixture.send(interbank, exact, { feeType }, "2001800");
    assert.equal((await control.account(exact)).ledgerBalance, "0.00");
  }
});

test("a payer emptied over two rails at once is never overdrawn, and what is rejected comes back", async () => {
  const payer = await fixture.newPayer("200000.00");
  const send = (service: RailService, more: Json) =>
    alpha.call(service.path, railBody(service, payer, { feeType: "BEN", ...more }));
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, position) => (position % 2 === 0 ? send(interbank, {}) : send(skn, rejecting))),
  );
  const counts = Map.groupBy(answers, ({ code }) => code);
  const count = (code: string) => counts.get(code)?.length ?? 0;
  assert.equal(count("2001800") + count("2002300"), 20);
  assert.equal(count("4031814") + count("4032314"), 60);
  assert.equal((await control.account(payer)).ledgerBalance, "0.00");
  await settleBatch();
  const [balance] = await control.balances(payer);
  assert.equal(balance, BigInt(count("2002300")) * skn.amount);
});

test("funds that are held are not there to be sent", async () => {
  const payer = await fixture.newPayer("12500.00");
  const [, merchant = ""] = alpha.partner.merchants;
  const hold = { partnerReferenceNo: "HELD-1", merchantId: merchant, title: "x", amount: idr("0.01") };
  const placed = await alpha.call("auth/payment", { ...hold, additionalInfo: { sourceAccountNo: payer } });
  expectCode(placed, "2006300");
  await fixture.send(interbank, payer, {}, "4031814");
  await fixture.send(interbank, payer, { feeType: "BEN" }, "2001800");
});

test("limits of a day look at the request's amount, over all services together: count, then sum, then funds", async () => {
  const limits = { daily: "30000.00", dailyCount: 4 };
  const payer = await fixture.newPayer("32500.01", { limits });
  const send = (more: Json, code: string) => fixture.send(interbank, payer, more, code);
  await send({}, "2001800");
  await send({ amount: idr("20000.01"), feeType: "BEN" }, "4031823");
  await send({ amount: idr("19999.99"), feeType: "BEN" }, "2001800");
  expectCode(await alpha.call(skn.path, railBody(skn, payer, { amount: idr("1.00") })), "4032323");
  const [, other = ""] = alpha.partner.sourceAccounts;
  const within = (value: string) => alpha.call(transferPath, transferBody({ from: payer, to: other, value }));
  expectCode(await within("0.02"), "4031723");
  expectCode(await within("0.01"), "2001700");
  await send({ amount: idr("1.00") }, "4031823");
  await control.change(payer, { limits: { daily: "40000.00", dailyCount: 3 } });
  await send({ amount: idr("10000.01") }, "4031804");
  await control.change(payer, { limits: { daily: "40000.00" } });
  await send({ amount: idr("10000.01") }, "4031823");
  // 0.01 is left, and the fee is more than that.
  await send({}, "4031814");
  assert.equal((await control.account(payer)).ledgerBalance, "0.01");
});

test("a rejection gives back the day's use, in the call and later; a return does not", async () => {
  const limits = { daily: "10000.00", dailyCount: 1 };
  const payer = await fixture.newPayer("1000000.00", { limits });
  for (let times = 0; times < 3; times += 1) await fixture.send(interbank, payer, rejecting, "4031805");
  for (let times = 0; times < 2; times += 1) {
    const waits = await fixture.send(skn, payer, rejecting, "2002300");
    await untilStatus(alpha, skn, waits, "03");
    await fixture.send(interbank, payer, {}, "4031804");
    await settleBatch();
    await expectStatus(alpha, skn, waits, "06");
  }
  const settled = await fixture.send(interbank, payer, {}, "2001800");
  await control.call("POST", `transfers/${String(settled.body["referenceNo"])}/return`);
  await expectStatus(alpha, interbank, settled, "04");
  await fixture.send(interbank, payer, {}, "4031804");
  assert.equal((await control.account(payer)).ledgerBalance, "997500.00");
});

test("an account with a transfer under way cannot be closed; blocked since, it gets its money back all the same", async () => {
  for (const status of ["blocked", "dormant"]) {
    const payer = await fixture.newPayer();
    const moved = await fixture.watch("skn", payer);
    const answer = await fixture.send(skn, payer, rejecting, "2002300");
    await untilStatus(alpha, skn, answer, "03");
    await assert.rejects(control.change(payer, { status: "closed" }), /409 .*accountInUse/);
    await control.change(payer, { status });
    await settleBatch();
    await expectStatus(alpha, skn, answer, "06");
    assert.deepEqual(await moved(), moneyOf(skn).none);
    await control.change(payer, { status: "closed" });
  }
});

test("money returned to an account that was closed since becomes unapplied funds, and is not lost", async () => {
  const payer = await fixture.newPayer("12500.00");
  const moved = await fixture.watch("interbank", payer);
  const answer = await fixture.send(interbank, payer, {}, "2001800");
  await control.change(payer, { status: "closed" });
  await control.call("POST", `transfers/${String(answer.body["referenceNo"])}/return`);
  await expectStatus(alpha, interbank, answer, "04");
  const { inTransit, returned } = moneyOf(interbank);
  assert.deepEqual(await moved(), { ...returned, payer: inTransit.payer });
  const unapplied = await control.account(encodeURIComponent("unclaimed:IDR"));
  assert.equal(toMinor(unapplied.ledgerBalance), interbank.amount);
});

test("a rejection on a later day gives back nothing of that day's use", async () => {
  const payer = await fixture.newPayer("1000000.00", { limits: { daily: "10000.00" } });
  await fixture.setMode("skn", "down");
  const yesterdays = await fixture.send(skn, payer, rejecting, "2002300");
  await untilStatus(alpha, skn, yesterdays, "01");
  await fixture.moveTo(fixture.at(1, "10:00:01"));
  await fixture.send(interbank, payer, {}, "2001800");
  await fixture.setMode("skn", "normal");
  await fixture.advance(3_600);
  await expectStatus(alpha, skn, yesterdays, "06");
  await fixture.send(interbank, payer, { amount: idr("1.00") }, "4031823");
  assert.equal((await control.account(payer)).ledgerBalance, "987500.00");
  // A day's use ends with the day.
  await fixture.moveTo(fixture.at(2, "00:00:00"));
  await fixture.send(interbank, payer, {}, "2001800");
});

test("no suspense account holds anything now, and the audit finds nothing", async () => {
  for (const { rail } of [interbank, rtgs, skn]) {
    assert.equal((await moneyAt(control, rail, "1")).suspense, 0n);
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
