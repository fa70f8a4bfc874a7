/** Random calls about a hold on all nodes at once, with copies and second uses of numbers, while the hold expires. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HoldOperation } from "../hold-node.ts";
import { idr, merchantId, type TestMerchant } from "../merchant.ts";
import { type HoldState, type ModelCall, moneyOf, newAccount, newHold } from "../model/hold-state.ts";
import { type Fields, present } from "../model/model-reply.ts";
import { newSentAt } from "../../support/edge/sent-at.ts";
import { type ChangeName, writeFields } from "../write-fields.ts";
import { type AnsweredCall, checkLinearizable, type InitialState, isRepeat } from "./linearizability.ts";
import {
  type Answered,
  type HoldCalls,
  pick,
  placeHold,
  type Race,
  type RaceFixture,
  type RaceResult,
} from "./race-fixture.ts";
import type { RaceNode } from "./race-node.ts";

type Random = () => number;

const callsOfHold = 24;
const minuteMs = 60_000;
const weekMs = 7 * 24 * 60 * minuteMs;
const held = 40n;

/** One order of the calls, that of the hold's events, explains every response. */
export const randomCalls: Race = {
  name: "random calls",
  atOnce: 6,
  run: async (fixture, random, rounds) => {
    const business = Date.now() + fixture.clock.offset;
    const validUpTo = new Date(business + minuteMs + 500).toISOString();
    const isShort = () => random() < 0.5;
    const shorts = Array.from({ length: rounds }, isShort);
    const holds = await Promise.all(
      shorts.map((short) => placeHold(fixture, moneyOf(held, "IDR").value, short ? { validUpTo } : {})),
    );
    let isOver = false;
    const jobs = fixture.nodes.map(async (node) => {
      while (!isOver) {
        await node.expire();
        await sleep(1);
      }
    });
    const results = holds.map((hold, index) => raceHold(fixture, hold, shorts[index] ? validUpTo : undefined, random));
    // Each node's clock passes the holds' expiry when its message arrives: some nodes before others.
    fixture.clock.offset += minuteMs + 500;
    await sleep(random() * 10);
    await Promise.all(fixture.nodes.map((node) => node.setOffset(fixture.clock.offset)));
    const answered = await Promise.all(results);
    isOver = true;
    await Promise.all(jobs);
    while (Date.now() + fixture.clock.offset <= Date.parse(validUpTo)) await sleep(1);
    await fixture.nodes[0]?.expire();
    return answered;
  },
};

async function raceHold(
  fixture: RaceFixture,
  hold: HoldCalls,
  validUpTo: string | undefined,
  random: Random,
): Promise<RaceResult> {
  // Two captures for refunds to name.
  const captures: AnsweredCall[] = [];
  for (const amount of [3n, 4n]) {
    captures.push(await send(fixture.nodes[0], captureOf(fixture.merchant, hold, amount)));
  }
  const captureNos = captures.map(({ reply }) => String(reply.fields?.["captureNo"]));
  const sent: Promise<AnsweredCall>[] = [];
  const calls: ModelCall[] = [];
  for (let count = 0; count < callsOfHold; count += 1) {
    const call = nextCall(fixture.merchant, hold, captureNos, calls, random);
    calls.push(call);
    sent.push(send(pick(random, fixture.nodes), call));
    if (random() < 0.2) await sleep(random() * 4);
  }
  const answeredCalls = [...captures, ...(await Promise.all(sent))];
  const answered = answeredCalls.flatMap(({ call, reply }): readonly Answered[] =>
    call.name === "authPaymentQuery" ? [] : [{ name: call.name as ChangeName, reply }],
  );
  return {
    original: hold.original,
    answered,
    outcome: validUpTo === undefined ? "open to the end" : "expired",
    check: (record) => [
      ...checkLinearizable(initialState(fixture.merchant, hold, validUpTo), record, answeredCalls),
      ...checkCopies(answeredCalls),
    ],
  };
}

async function send(node: RaceNode | undefined, call: ModelCall): Promise<AnsweredCall> {
  if (!node) throw new Error("there is no node");
  return { call, reply: await node.call({ ...call, name: call.name as HoldOperation }) };
}

function newCall({ partner }: TestMerchant, name: string, request: Fields): ModelCall {
  return {
    name,
    partner,
    externalId: randomUUID(),
    signature: randomUUID(),
    sentAt: newSentAt(),
    request: present(request),
    customerAccountNo: undefined,
  };
}

function captureOf(
  merchant: TestMerchant,
  { original }: HoldCalls,
  amount: bigint | undefined,
  lastCapture?: string,
): ModelCall {
  return newCall(merchant, "authCapture", {
    ...original,
    merchantId,
    partnerCaptureNo: randomUUID(),
    title: "Bill",
    captureAmount: amount === undefined ? undefined : moneyOf(amount, "IDR"),
    lastCapture,
  });
}

function nextCall(
  merchant: TestMerchant,
  hold: HoldCalls,
  captureNos: readonly string[],
  before: readonly ModelCall[],
  random: Random,
): ModelCall {
  const writes = before.filter(({ name }) => name !== "authPaymentQuery");
  if (writes.length > 0 && random() < 0.25) return repeatOf(pick(random, writes), random);
  const amount = random() < 0.06 ? undefined : BigInt(Math.ceil(random() * 8));
  const money = amount === undefined ? undefined : moneyOf(amount, "IDR");
  const { original } = hold;
  const kind = random();
  if (kind < 0.3) return captureOf(merchant, hold, amount, random() < 0.05 ? "true" : undefined);
  if (kind < 0.5) {
    const isAll = random() < 0.1 ? "true" : undefined;
    return newCall(merchant, "authVoid", {
      ...original,
      merchantId,
      partnerVoidNo: randomUUID(),
      voidAmount: money,
      voidRemainingAmount: isAll,
    });
  }
  if (kind < 0.85) {
    const { originalPartnerReferenceNo } = original;
    const originalCaptureNo = random() < 0.5 ? pick(random, captureNos) : undefined;
    const partnerRefundNo = randomUUID();
    return newCall(merchant, "authRefund", {
      originalPartnerReferenceNo,
      partnerRefundNo,
      originalCaptureNo,
      refundAmount: money,
    });
  }
  return newCall(merchant, "authPaymentQuery", { originalReferenceNo: original.originalReferenceNo });
}

/** A copy; the same signed anew; its number under another id; that with another amount; its id with another amount. */
function repeatOf(call: ModelCall, random: Random): ModelCall {
  const [signature, externalId, sentAt] = [randomUUID(), randomUUID(), newSentAt()];
  const { amount } = writeFields[call.name as ChangeName];
  return pick<() => ModelCall>(random, [
    () => call,
    () => ({ ...call, signature, sentAt }),
    () => ({ ...call, signature, sentAt, externalId }),
    () => ({ ...call, signature, sentAt, externalId, request: { ...call.request, [amount]: idr("0.02") } }),
    () => ({ ...call, signature, sentAt, request: { ...call.request, [amount]: idr("0.03") } }),
  ])();
}

/** Copies of one signed call have one rejection, or none if one of them succeeded (spec D7). */
function checkCopies(answered: readonly AnsweredCall[]): readonly string[] {
  const ofWrites = answered.filter(({ call }) => call.name !== "authPaymentQuery");
  return [...Map.groupBy(ofWrites, ({ call }) => call.signature).values()].flatMap((copies) => {
    const isSuccessful = copies.some(({ reply }) => reply.case === "success");
    const rejections = copies.filter((one) => one.reply.case !== "success" && !isRepeat(one));
    const different = new Set(rejections.map(({ reply }) => JSON.stringify(reply)));
    const isDifferent = different.size > 1 || (isSuccessful && rejections.length > 0);
    return isDifferent ? [`copies were answered differently: ${JSON.stringify(copies)}`] : [];
  });
}

function initialState(
  { partner, payer, settlement }: TestMerchant,
  { original, paidTime }: HoldCalls,
  validUpTo: string | undefined,
): InitialState {
  const at = Date.parse(paidTime);
  const hold = newHold({
    no: original.originalReferenceNo,
    number: original.originalPartnerReferenceNo,
    partner,
    merchantId,
    payer: payer.accountNo,
    settlement: settlement.accountNo,
    currency: "IDR",
    held,
    at,
    expiresAt: validUpTo === undefined ? at + weekMs : Date.parse(validUpTo),
  });
  // Enough on both that funds never decide: other holds share them.
  const accounts = [payer, settlement].map(({ accountNo }) => [accountNo, newAccount({ balance: 10n ** 6n })] as const);
  const state: HoldState = { accounts: new Map(accounts), merchants: new Map(), holds: [hold], eventsMax: 1_000 };
  return { state, hold, mayBeExpired: validUpTo !== undefined };
}
