/** Answers that meet on two nodes: each payment request gets one, and its money moves once (spec D12). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { inquireRequest, payerAt, requestPayment } from "../../support/black-box/payment-requests.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { idr } from "../../support/black-box/transfers.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const second = stack.use(await sandbox.startNode());
const payers = [payerAt(fixture), payerAt(fixture, second.baseUrl)] as const;
const [one, other] = payers;
const { bankCode } = sandbox.file;
const open = async (balance: string) => (await control.open({ name: "A holder", balance })).accountNo;
const beneficiary = await open("0.00");
const rounds = Array.from({ length: 12 }, (_, round) => round);
/** All rounds at once: each has a payer of its own. */
const eachRound = (run: (round: number) => Promise<void>) => Promise.all(rounds.map(run));

/** Within the bank and over the rail, in turn. */
const request = (round: number, from: string, more: Json = {}) =>
  requestPayment(fixture, from, { ...(round % 2 === 0 && { bankCode, beneficiaryAccountNo: beneficiary }), ...more });
const taken = (round: number) => (round % 2 === 0 ? "10000.00" : "12500.00");
const statusOf = async (answer: Answer) =>
  String((await inquireRequest(alpha, answer)).body["latestTransactionStatus"]);
const codeOf = (error: unknown) => /"code":"(\w+)"/.exec(String(error))?.[1];

/** What each answer came to: the state it left, or why it was rejected. */
async function outcomes(answers: readonly Promise<Json>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((result) => String(result.status === "fulfilled" ? result.value["state"] : codeOf(result.reason)));
}

async function expectSpent(from: string, opening: string, spent: string): Promise<void> {
  const { ledgerBalance } = await control.account(from);
  assert.equal(Number(opening) - Number(ledgerBalance), Number(spent));
}

test("approvals on both nodes: one is recorded, and pays once", async () => {
  await eachRound(async (round) => {
    const from = await open("100000.00");
    const asked = await request(round, from);
    const found = await outcomes([one, other, one, other].map((payer) => payer.approve(asked)));
    assert.deepEqual(found.toSorted(), ["approved", "wrongState", "wrongState", "wrongState"]);
    await expectSpent(from, "100000.00", taken(round));
    assert.equal(await statusOf(asked), "00");
  });
});

test("an approval and a decline: the first is final, and money moves only for an approval", async () => {
  await eachRound(async (round) => {
    const from = await open("100000.00");
    const asked = await request(round, from);
    const answers = [() => one.approve(asked), () => other.decline(asked)];
    const [first, then] = (round % 4 < 2 ? answers : answers.toReversed()).map((answer) => answer());
    const found = await outcomes([first, then] as Promise<Json>[]);
    const isApproved = found.includes("approved");
    assert.deepEqual(found.toSorted(), [isApproved ? "approved" : "declined", "wrongState"]);
    await expectSpent(from, "100000.00", isApproved ? taken(round) : "0");
    assert.equal(await statusOf(asked), isApproved ? "00" : "05");
  });
});

test("an approval while the clock passes its time: paid, or expired and nothing moved", async () => {
  for (const round of rounds.slice(0, 6)) {
    const from = await open("100000.00");
    const { now } = await control.call<{ readonly now: string }>("GET", "clock");
    const expiredDatetime = new Date(Date.parse(now) + 3_600_000).toISOString();
    const asked = await request(round, from, { expiredDatetime });
    const moved = fixture.advance(3_600);
    const [found] = await outcomes([(round % 2 === 0 ? one : other).approve(asked)]);
    await moved;
    assert.ok(found === "approved" || found === "wrongState", String(found));
    await expectSpent(from, "100000.00", found === "approved" ? taken(round) : "0");
    assert.equal(await statusOf(asked), found === "approved" ? "00" : "05");
  }
});

test("two approvals from an account that has money for one: the other is rejected, and waits", async () => {
  await eachRound(async (round) => {
    const from = await open(taken(round));
    const asked = [await request(round, from), await request(round, from, { amount: idr("10000.00") })];
    const found = await outcomes(asked.map((answer, position) => payers[position % 2 === 0 ? 0 : 1].approve(answer)));
    assert.deepEqual(found.toSorted(), ["approved", "insufficientFunds"]);
    await expectSpent(from, taken(round), taken(round));
    const statuses = await Promise.all(asked.map(statusOf));
    assert.deepEqual(statuses.toSorted(), ["00", "01"]);
  });
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
