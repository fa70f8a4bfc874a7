/** Random calls about a hold on all nodes at once, copies and second uses of numbers among them, while its time passes. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HoldOperation } from "../hold-node.ts";
import { type Asked, explain, isRepeat, type Start } from "./explain.ts";
import { type ModelAccount, type ModelCall, type ModelHold, moneyOf, type World } from "../model/naive-world.ts";
import { type Answered, type HoldCalls, placeHold, type RaceScene } from "./race-fixture.ts";
import type { RaceNode } from "./race-node.ts";
import { pick, type Race, type Raced } from "./races.ts";
import { newSentAt } from "../../support/edge/sent-at.ts";
import { idr, merchantId, type Shop } from "../merchant.ts";

type Random = () => number;

const callsOfHold = 24;
const minuteMs = 60_000;
const weekMs = 7 * 24 * 60 * minuteMs;
const held = 40n;

/** Every answer is explained by one order of what was done, and that order is the hold's lines. */
export const randomCalls: Race = {
  name: "random calls",
  atOnce: 6,
  run: async (scene, random, rounds) => {
    const business = Date.now() + scene.clock.offset;
    const validUpTo = new Date(business + minuteMs + 500).toISOString();
    const isShort = () => random() < 0.5;
    const shorts = Array.from({ length: rounds }, isShort);
    const holds = await Promise.all(
      shorts.map((short) => placeHold(scene, moneyOf(held, "IDR").value, short ? { validUpTo } : {})),
    );
    let isOver = false;
    const jobs = scene.nodes.map(async (node) => {
      while (!isOver) {
        await node.expire();
        await sleep(1);
      }
    });
    const raced = holds.map((hold, index) => raceOne(scene, hold, shorts[index] ? validUpTo : undefined, random));
    // Each node's clock passes the holds' time when its message comes: some nodes are there before others.
    scene.clock.offset += minuteMs + 500;
    await sleep(random() * 10);
    await Promise.all(scene.nodes.map((node) => node.setOffset(scene.clock.offset)));
    const answered = await Promise.all(raced);
    isOver = true;
    await Promise.all(jobs);
    while (Date.now() + scene.clock.offset <= Date.parse(validUpTo)) await sleep(1);
    await scene.nodes[0]?.expire();
    return answered;
  },
};

async function raceOne(
  scene: RaceScene,
  hold: HoldCalls,
  validUpTo: string | undefined,
  random: Random,
): Promise<Raced> {
  // Two captures that refunds can name before the race has answered anything.
  const named: Asked[] = [];
  for (const amount of [3n, 4n]) {
    named.push(await ask(scene.nodes[0], captureOf(scene.shop, hold, amount)));
  }
  const captureNos = named.map(({ reply }) => String(reply.fields?.["captureNo"]));
  const sent: Promise<Asked>[] = [];
  const calls: ModelCall[] = [];
  for (let count = 0; count < callsOfHold; count += 1) {
    const call = nextCall(scene.shop, hold, captureNos, calls, random);
    calls.push(call);
    sent.push(ask(pick(random, scene.nodes), call));
    if (random() < 0.2) await sleep(random() * 4);
  }
  const asked = [...named, ...(await Promise.all(sent))];
  const answered = asked.flatMap(({ call, reply }): readonly Answered[] =>
    call.name === "authPaymentQuery" ? [] : [{ name: call.name as Answered["name"], reply }],
  );
  return {
    original: hold.original,
    answered,
    outcome: validUpTo === undefined ? "open to the end" : "past its time",
    judge: (record) => [...explain(startOf(scene.shop, hold, validUpTo), record, asked), ...checkCopies(asked)],
  };
}

async function ask(node: RaceNode | undefined, call: ModelCall): Promise<Asked> {
  if (!node) throw new Error("there is no node");
  return { call, reply: await node.call({ ...call, name: call.name as HoldOperation }) };
}

function newCall({ partner }: Shop, name: string, request: object): ModelCall {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return {
    name,
    partner,
    externalId: randomUUID(),
    signature: randomUUID(),
    sentAt: newSentAt(),
    request: Object.fromEntries(given),
    customerAccountNo: undefined,
  };
}

function captureOf(shop: Shop, { original }: HoldCalls, amount: bigint | undefined, lastCapture?: string): ModelCall {
  return newCall(shop, "authCapture", {
    ...original,
    merchantId,
    partnerCaptureNo: randomUUID(),
    title: "Bill",
    captureAmount: amount === undefined ? undefined : moneyOf(amount, "IDR"),
    lastCapture,
  });
}

function nextCall(
  shop: Shop,
  hold: HoldCalls,
  captureNos: readonly string[],
  before: readonly ModelCall[],
  random: Random,
): ModelCall {
  const writes = before.filter(({ name }) => name !== "authPaymentQuery");
  if (writes.length > 0 && random() < 0.25) return again(pick(random, writes), random);
  const amount = random() < 0.06 ? undefined : BigInt(Math.ceil(random() * 8));
  const money = amount === undefined ? undefined : moneyOf(amount, "IDR");
  const { original } = hold;
  const kind = random();
  if (kind < 0.3) return captureOf(shop, hold, amount, random() < 0.05 ? "true" : undefined);
  if (kind < 0.5) {
    const isAll = random() < 0.1 ? "true" : undefined;
    return newCall(shop, "authVoid", {
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
    return newCall(shop, "authRefund", {
      originalPartnerReferenceNo,
      partnerRefundNo,
      originalCaptureNo,
      refundAmount: money,
    });
  }
  return newCall(shop, "authPaymentQuery", { originalReferenceNo: original.originalReferenceNo });
}

/** A copy; the same signed anew; the same number under another id; that with another amount; the id for another body. */
function again(call: ModelCall, random: Random): ModelCall {
  const [signature, externalId, sentAt] = [randomUUID(), randomUUID(), newSentAt()];
  const amount = { authCapture: "captureAmount", authVoid: "voidAmount", authRefund: "refundAmount" }[call.name] ?? "";
  return pick<() => ModelCall>(random, [
    () => call,
    () => ({ ...call, signature, sentAt }),
    () => ({ ...call, signature, sentAt, externalId }),
    () => ({ ...call, signature, sentAt, externalId, request: { ...call.request, [amount]: idr("0.02") } }),
    () => ({ ...call, signature, sentAt, request: { ...call.request, [amount]: idr("0.03") } }),
  ])();
}

/** Copies of one signed call are rejected once, and never done when one of them was rejected (spec D7). */
function checkCopies(asked: readonly Asked[]): readonly string[] {
  const ofWrites = asked.filter(({ call }) => call.name !== "authPaymentQuery");
  return [...Map.groupBy(ofWrites, ({ call }) => call.signature).values()].flatMap((copies) => {
    const isDone = copies.some(({ reply }) => reply.case === "success");
    const rejections = copies.filter((one) => one.reply.case !== "success" && !isRepeat(one));
    const different = new Set(rejections.map(({ reply }) => JSON.stringify(reply)));
    const isApart = different.size > 1 || (isDone && rejections.length > 0);
    return isApart ? [`copies were answered apart: ${JSON.stringify(copies)}`] : [];
  });
}

function startOf({ partner, payer, settlement }: Shop, hold: HoldCalls, validUpTo: string | undefined): Start {
  const { originalReferenceNo: no, originalPartnerReferenceNo: number } = hold.original;
  const at = Date.parse(hold.paidTime);
  const placed: ModelHold = {
    no,
    number,
    partner,
    merchantId,
    subMerchantId: undefined,
    externalStoreId: undefined,
    payer: payer.accountNo,
    settlement: settlement.accountNo,
    currency: "IDR",
    held,
    at,
    expiresAt: validUpTo === undefined ? at + weekMs : Date.parse(validUpTo),
    captures: [],
    releases: [],
    swept: 0n,
    voidCalls: 0,
    refundCalls: 0,
  };
  // Enough on both that funds never decide: other holds use them, too.
  const account = (): ModelAccount => ({
    currency: "IDR",
    partners: [],
    balance: 10n ** 6n,
    status: "active",
    used: [],
  });
  const world: World = {
    accounts: new Map([payer, settlement].map(({ accountNo }) => [accountNo, account()])),
    merchants: new Map(),
    holds: [placed],
    changesMax: 1_000,
  };
  return { world, hold: placed, mayBePast: validUpTo !== undefined };
}
