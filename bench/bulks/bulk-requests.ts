/** Bulks (20) as signed requests, made before the window in which they are sent. */
import { formatTimestamp, operations } from "@titian/contract";
import type { BenchPartner } from "../load/partner.ts";
import { requestToken } from "../load/request-token.ts";
import { createSigner } from "../load/signed-requests.ts";
import { createIds } from "../transfers/unique-ids.ts";

export interface BulkTerms {
  readonly items: number;
  /** Length of one item in the request; at least that of its mandatory fields. */
  readonly itemBytes: number;
}

const nextId = createIds();

/** So many bulks, each of another payer: one rupiah an item, and the payer pays the fees. */
export async function makeBulkRequests(
  caller: BenchPartner,
  payers: readonly string[],
  terms: BulkTerms,
): Promise<readonly Buffer[]> {
  const sign = createSigner(caller, await requestToken(caller), operations.interbankBulkTransfer.path);
  return payers.map((payer) => {
    const id = nextId();
    return sign(id, bulkBody(id, payer, terms));
  });
}

function bulkBody(id: string, sourceAccountNo: string, { items, itemBytes }: BulkTerms): object {
  return {
    partnerBulkId: id,
    customerReference: "PAYROLL 2026-11",
    sourceAccountNo,
    feeType: "OUR",
    transactionDate: formatTimestamp(Date.now()),
    bulkObject: Array.from({ length: items }, (_, position) => padded(bulkItem(position), itemBytes)),
  };
}

function bulkItem(position: number): object {
  return {
    partnerReferenceNo: nextId(),
    bankCode: "014",
    beneficiaryAccountNo: String(8_888_800_000 + position),
    beneficiaryAccountName: "Siti Rahayu",
    amount: { value: "1.00", currency: "IDR" },
  };
}

const padding = ',"additionalInfo":{"note":""}'.length;

function padded(item: object, bytes: number): object {
  const missing = bytes - JSON.stringify(item).length - padding;
  return missing > 0 ? { ...item, additionalInfo: { note: "x".repeat(missing) } } : item;
}
