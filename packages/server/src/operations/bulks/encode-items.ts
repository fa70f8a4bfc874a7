/** The rows of a new bulk's items, encoded in slices before their transaction begins. */
import { operations } from "@titian/contract";
import type { Call } from "../../interfaces/call.ts";
import { cellOf, newId } from "../../basics/ids.ts";
import { shortBodyHash } from "../../engine/batch/idempotency-keys.ts";
import { encodeNewItems, type NewItem, type NewItems } from "../../engine/rows/bulks.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import { bulkRail } from "../../ledger/bulks/bulk.ts";
import { minor } from "../../ledger/money.ts";
import { splitFee } from "../../ledger/transfers/fees.ts";
import { acceptTransfer } from "../../ledger/transfers/transfer.ts";
import { packFreeForm } from "../free-form.ts";
import { withDecimals } from "../money.ts";
import { keptFields, type Order } from "../write.ts";
import type { BulkItem, ItemPayload } from "./bulk-payload.ts";
import { inSlices, type ReadBulk, type ReadItem } from "./read-items.ts";

export type BulkOrder = Order<"interbankBulkTransfer", ReadBulk>;

/** `source`: account id of the payer. Of an order without rejection: every item's fee can be split. */
export async function encodeBulk(order: BulkOrder, call: Call, source: string): Promise<readonly NewItems[]> {
  const { items, byKey, now } = order.parsed;
  const chunks: NewItems[] = [];
  // In the order of their keys, so that two bulks that share numbers do not wait for each other in a circle.
  await inSlices(byKey.length, (from, to) => {
    const rows = byKey
      .slice(from, to)
      .map((position) => rowOf(order, call, { position, item: items[position] as ReadItem, source }));
    chunks.push(encodeNewItems(rows, now));
  });
  return chunks;
}

const service = Number(operations.interbankBulkTransfer.code);

interface Numbered {
  readonly position: number;
  readonly item: ReadItem;
  readonly source: string;
}

function rowOf(order: BulkOrder, call: Call, { position, item, source }: Numbered): NewItem {
  const { id, partner, request, parsed } = order;
  const { amount, currency, key, fingerprint } = item;
  const { feeType, bulkObject } = request;
  const fee = splitFee({ ...parsed.rails.rails[bulkRail], amount, feeType });
  if (fee.kind === "rejection") throw new Error("the fee of an accepted item cannot be split");
  const received = call.freeForm.get(`bulkObject[${position}].additionalInfo`);
  const transfer = acceptTransfer({
    id: newId(cellOf(id)),
    partner,
    service,
    rail: bulkRail,
    source,
    currency,
    suspensePart: newTransfersPart,
    sentAmount: fee.sentAmount,
    fee: minor(fee.debited - fee.sentAmount),
    dailyLimitAmount: amount,
    businessDate: parsed.day,
    at: parsed.now,
  });
  return {
    transfer: { ...transfer, bulk: id },
    position,
    externalId: call.externalId,
    partnerReferenceKey: key,
    bodyHash: shortBodyHash(call.bodyHash),
    requestFingerprint: fingerprint,
    payload: JSON.stringify(payloadOf(order, bulkObject[position] as BulkItem)),
    freeForm: received && packFreeForm(new Map([["additionalInfo", received]])),
  };
}

function payloadOf({ request }: BulkOrder, { additionalInfo: _, ...item }: BulkItem): ItemPayload {
  const { partnerBulkId: __, currency: ___, ...shared } = keptFields(request);
  return { request: { ...shared, ...item, amount: withDecimals(item.amount) } };
}
