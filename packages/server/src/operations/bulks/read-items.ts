/** Reads the items of a bulk in slices, so that other calls are served meanwhile (spec D13). */
import { hash } from "node:crypto";
import { operations } from "@titian/contract";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Call } from "../../interfaces/call.ts";
import type { Instant } from "../../basics/clock.ts";
import { partnerReferenceKey, requestFingerprint } from "../../engine/batch/idempotency-keys.ts";
import { businessDay } from "../../ledger/business-day.ts";
import { type BulkItemOrder, itemField } from "../../ledger/bulks/accept.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import type { RailData } from "../../ledger/rails/terms.ts";
import { zero } from "../../ledger/money.ts";
import { amountFingerprint, readMoney } from "../money.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { whoBears } from "../transfers/rail-transfer.ts";
import type { BulkItem, BulkRequest } from "./bulk-payload.ts";

export interface ReadItem extends BulkItemOrder {
  /** Key of its number. */
  readonly key: string;
  /** Hash of what spec D7 compares of it. */
  readonly fingerprint: string;
}

/** A bulk as it is decided, with the terms of that moment. */
export interface ReadBulk {
  /** As the request has them. */
  readonly items: readonly ReadItem[];
  /** Path of the first amount with more decimals than its currency has; the amounts of such items are zero here. */
  readonly tooFine: string | undefined;
  /** Positions of the items in the order of their keys. */
  readonly byKey: readonly number[];
  /** Hash of all items, whatever their order. */
  readonly contentHash: string;
  /** Business time (epoch ms), and its business day. */
  readonly now: Instant;
  readonly day: number;
  readonly rails: RailData;
}

/** Items that are read in one turn of the event loop: some milliseconds. */
const slice = 250;

/** The work for each position, in slices between which other calls are served. */
export async function inSlices(count: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += slice) {
    work(from, Math.min(count, from + slice));
    await nextTurn();
  }
}

/** The reply names the second item of two with one number. */
export async function readBulk(call: Call, rails: RailData, now: Instant): Promise<ParsedRequest<ReadBulk>> {
  const request = call.request as BulkRequest;
  const { bulkObject } = request;
  const items: ReadItem[] = [];
  const numbers = new Set<string>();
  let repeated: string | undefined;
  let tooFine: string | undefined;
  await inSlices(bulkObject.length, (from, to) => {
    for (let position = from; position < to; position += 1) {
      const item = bulkObject[position] as BulkItem;
      if (numbers.has(item.partnerReferenceNo)) repeated ??= itemField(position, "partnerReferenceNo");
      numbers.add(item.partnerReferenceNo);
      const money = readMoney(item.amount);
      if (!money) tooFine ??= itemField(position, "amount.value");
      const { currency } = item.amount;
      const amount = money?.amount ?? zero;
      items.push({ amount, currency, ...keysOf(call, request, item, rails), bankCode: item.bankCode });
    }
  });
  if (repeated !== undefined) return { ok: false, reply: { case: "invalidFieldFormat", field: repeated } };
  const byKey = sortByKey(items);
  const contentHash = hash("sha256", byKey.map((position) => contentOf(items[position] as ReadItem)).join(""), "hex");
  return { ok: true, parsed: { items, tooFine, byKey, contentHash, now, day: businessDay(now), rails } };
}

/** Keys have one length each: sorting texts takes a third of the time of sorting by a comparison. */
function sortByKey(items: readonly ReadItem[]): readonly number[] {
  const keyed = items.map(({ key }, position) => `${key}${position}`).toSorted();
  return keyed.map((text) => Number(text.slice(keyLength)));
}

const keyLength = 36;

function contentOf({ key, fingerprint }: ReadItem): string {
  return key + fingerprint;
}

function keysOf({ partner }: Call, request: BulkRequest, item: BulkItem, rails: RailData) {
  const bank = findBank(rails, item.bankCode);
  return {
    key: partnerReferenceKey(partner.key, operations.interbankBulkTransfer.code, item.partnerReferenceNo),
    fingerprint: requestFingerprint([
      ...amountFingerprint(item.amount),
      request.sourceAccountNo,
      item.beneficiaryAccountNo,
      // By any of its codes (spec D7).
      typeof bank === "object" ? bank.bic : item.bankCode,
      whoBears(request),
    ]),
  };
}
