/** Answers to one payment request that meet on two nodes: one takes effect, and its money moves once (spec D12). */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { inquireRequest, payerAt, requestPayment } from "../../support/black-box/payment-requests.ts";
import type { RailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { idr } from "../../support/black-box/transfers.ts";

/** One round of a race; its requests are paid within the bank and over the rail, in turn. @throws when it went wrong. */
export type Race = (round: number) => Promise<void>;

export interface AnswerRaces {
  readonly approvals: Race;
  readonly approvalAndDecline: Race;
  /** Real time passes the request's, while both nodes are asked. */
  readonly approvalAndExpiry: Race;
  readonly moneyForOne: Race;
}

export async function createAnswerRaces(fixture: RailFixture, secondUrl: string): Promise<AnswerRaces> {
  const { alpha, control, sandbox } = fixture;
  const payers = [payerAt(fixture), payerAt(fixture, secondUrl)] as const;
  const [one, other] = payers;
  const open = async (balance: string) => (await control.open({ name: "A holder", balance })).accountNo;
  const own = { bankCode: sandbox.file.bankCode, beneficiaryAccountNo: await open("0.00") };
  const request = (round: number, from: string, more: Json = {}) =>
    requestPayment(fixture, from, { ...(round % 2 === 0 && own), ...more });
  const paid = (round: number) => (round % 2 === 0 ? "10000.00" : "12500.00");
  const statusOf = async (answer: Answer) =>
    String((await inquireRequest(alpha, answer)).body["latestTransactionStatus"]);
  const expectSpent = async (from: string, opening: string, spent: string) => {
    const { ledgerBalance } = await control.account(from);
    assert.equal(Number(opening) - Number(ledgerBalance), Number(spent));
  };
  const opening = "100000.00";
  /** Long enough for it to be accepted on a busy machine. */
  const lifeMs = 3_000;
  return {
    approvals: async (round) => {
      const from = await open(opening);
      const asked = await request(round, from);
      const found = await outcomes([one, other, one, other].map((payer) => payer.approve(asked)));
      assert.deepEqual(found, Array(4).fill("approved"));
      await expectSpent(from, opening, paid(round));
      assert.equal(await statusOf(asked), "00");
    },
    approvalAndDecline: async (round) => {
      const from = await open(opening);
      const asked = await request(round, from);
      const answers = [() => one.approve(asked), () => other.decline(asked)];
      const sent = (round % 4 < 2 ? answers : answers.toReversed()).map((answer) => answer());
      const found = await outcomes(sent);
      const isApproved = found.includes("approved");
      assert.deepEqual(found.toSorted(), [isApproved ? "approved" : "declined", "wrongState"]);
      await expectSpent(from, opening, isApproved ? paid(round) : "0");
      assert.equal(await statusOf(asked), isApproved ? "00" : "05");
    },
    approvalAndExpiry: async (round) => {
      const from = await open(opening);
      const { now } = await control.call<{ readonly now: string }>("GET", "clock");
      const passesAt = Date.now() + lifeMs;
      const asked = await request(round, from, { expiredDatetime: new Date(Date.parse(now) + lifeMs).toISOString() });
      await sleep(Math.max(0, passesAt - Date.now() - Math.random() * 60));
      const found = await outcomes([one.approve(asked), other.approve(asked)]);
      const isApproved = found.includes("approved");
      assert.deepEqual(found, Array(2).fill(isApproved ? "approved" : "wrongState"));
      await sleep(Math.max(0, passesAt + 100 - Date.now()));
      await expectSpent(from, opening, isApproved ? paid(round) : "0");
      assert.equal(await statusOf(asked), isApproved ? "00" : "05");
    },
    moneyForOne: async (round) => {
      const from = await open(paid(round));
      const asked = [await request(round, from), await request(round, from, { amount: idr("10000.00") })];
      const found = await outcomes(asked.map((answer, position) => payers[position % 2 === 0 ? 0 : 1].approve(answer)));
      assert.deepEqual(found.toSorted(), ["approved", "insufficientFunds"]);
      await expectSpent(from, paid(round), paid(round));
      assert.deepEqual((await Promise.all(asked.map(statusOf))).toSorted(), ["00", "01"]);
    },
  };
}

/** Outcome of each answer: the state it left, or why it was rejected. */
async function outcomes(answers: readonly Promise<Json>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((result) => String(result.status === "fulfilled" ? result.value["state"] : codeOf(result.reason)));
}

function codeOf(error: unknown): string {
  return /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error);
}
