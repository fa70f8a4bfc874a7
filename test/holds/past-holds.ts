/** Holds that were placed long ago: their ids are of that time, as their events and requests are. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mock } from "node:test";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { merchantKeyOf, type Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { runStatements } from "../support/database/with-client.ts";
import { type HoldNode, startHoldNode } from "./hold-node.ts";
import {
  idr,
  merchantCall,
  merchantId,
  newMerchant,
  openAccounts,
  type OriginalReferences,
  type TestMerchant,
} from "./merchant.ts";
import type { WriteName } from "./write-fields.ts";

export const day = 86_400_000;

export interface PastHold extends OriginalReferences {
  readonly id: string;
}

export interface PastHolds extends AsyncDisposable {
  readonly merchant: TestMerchant;
  readonly terms: { refundDays: number };
  readonly clock: ReturnType<typeof createClock>;
  readonly node: HoldNode;
  send(name: WriteName, fields: object): Promise<Reply>;
  place(value: string, fields?: object): Promise<PastHold>;
  /** A change that must succeed; answers the fields of its response. */
  change(name: WriteName, hold: PastHold, fields?: object): Promise<Readonly<Record<string, unknown>>>;
}

/** A merchant whose captures may be refunded for 30 days, or as many as a test says. */
export async function startPastHolds({ url }: { readonly url: string }): Promise<PastHolds> {
  const merchant = newMerchant();
  const terms = { refundDays: 30 };
  const reference = (): Reference => {
    const key = merchantKeyOf(merchant.partner, merchantId);
    const of = merchant.reference.merchants.get(key) ?? assert.fail();
    return { ...merchant.reference, merchants: new Map([[key, { ...of, refundMs: terms.refundDays * day }]]) };
  };
  const clock = createClock();
  const node = await startHoldNode({ url, clock, reference });
  await openAccounts(node, merchant, 10_000_000n);
  const send: PastHolds["send"] = (name, fields) => node.call(merchantCall(merchant, name, fields));
  const place: PastHolds["place"] = async (value, more = {}) => {
    const originalPartnerReferenceNo = randomUUID();
    const { fields } = await send("authPayment", {
      partnerReferenceNo: originalPartnerReferenceNo,
      amount: idr(value),
      ...more,
    });
    const originalReferenceNo = String(fields?.["referenceNo"]);
    const id = fromReferenceNo(originalReferenceNo) ?? assert.fail();
    return { id, originalReferenceNo, originalPartnerReferenceNo };
  };
  const change: PastHolds["change"] = async (name, { id: _, ...original }, fields = {}) => {
    const reply = await send(name, { ...original, ...fields });
    assert.equal(reply.case, "success", JSON.stringify(reply));
    return reply.fields ?? {};
  };
  return {
    merchant,
    terms,
    clock,
    node,
    send,
    place,
    change,
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}

/** Dates back by so many days all that is made meanwhile. */
export async function daysAgo<Value>(days: number, work: () => Promise<Value>): Promise<Value> {
  mock.timers.enable({ apis: ["Date"], now: Date.now() - days * day });
  try {
    return await work();
  } finally {
    mock.timers.reset();
  }
}

/** Nothing is moved in the week after the migration. */
export function ageMigration(ownerUrl: string, days = 8): Promise<void> {
  return runStatements(ownerUrl, [
    `update migrations set applied_at = now() - interval '${days} days' where number = 28`,
  ]);
}
