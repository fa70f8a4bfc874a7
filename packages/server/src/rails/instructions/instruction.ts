/** Builds the instruction of a transfer from its stored request. */
import { currencyScale } from "@titian/contract";
import type { Instant } from "../../basics/clock.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { formatMinor } from "../../ledger/money.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { KeptTransfer } from "../../interfaces/transfer-sender.ts";
import { instructionKey } from "./instruction-key.ts";
import type { Instruction } from "../rail.ts";

/** Further fields of a request that a rail may pass on. */
const detailNames = [
  "beneficiaryAddress",
  "beneficiaryBankName",
  "beneficiaryEmail",
  "beneficiaryCustomerResidence",
  "beneficiaryCustomerType",
  "customerReference",
  "kodepos",
  "receiverPhone",
  "remark",
  "senderCustomerResidence",
  "senderCustomerType",
  "senderPhone",
] as const;

/** `payload`: of the accepted request, as JSON text. What an open payment request (19) pays is known to its transfer alone. */
export function readKept({ id, partner, service, sentAmount, currency }: TransferTerms, payload: string): KeptTransfer {
  return {
    id,
    partner,
    service,
    request: readRequest(payload),
    sentAmount: { value: formatMinor(sentAmount, currencyScale(currency) ?? 0), currency },
  };
}

export function readRequest(payload: string): KeptTransfer["request"] {
  const { request } = JSON.parse(payload) as Pick<KeptTransfer, "request">;
  return request;
}

type TransferTerms = Pick<RailTransfer, "id" | "partner" | "service" | "sentAmount" | "currency">;

const jakartaOffsetMs = 7 * 3_600_000;

/** `validUntil`: real time (epoch ms). @throws when the request has no number of the partner, which it must have. */
export function instructionOf(
  { id, partner, service, sentAmount, request }: KeptTransfer,
  validUntil: Instant,
): Instruction {
  const text = (name: string) => {
    const value = request[name];
    return typeof value === "string" ? value : undefined;
  };
  const partnerReferenceNo = text("partnerReferenceNo");
  if (partnerReferenceNo === undefined) throw new Error(`transfer ${id} has no number of its partner`);
  const details: Record<string, string> = {};
  for (const name of detailNames) {
    const value = text(name);
    if (value !== undefined) details[name] = value;
  }
  return {
    referenceNo: toReferenceNo(id),
    idempotencyKey: instructionKey({ partner, service, partnerReferenceNo }),
    amount: sentAmount.value,
    currency: sentAmount.currency,
    beneficiaryBankCode: text("beneficiaryBankCode") ?? text("bankCode") ?? "",
    beneficiaryAccountNo: text("beneficiaryAccountNo") ?? "",
    beneficiaryAccountName: text("beneficiaryAccountName") ?? "",
    sourceAccountNo: text("sourceAccountNo") ?? "",
    details,
    validUntil: formatInstant(validUntil),
  };
}

/** As `2026-11-21T10:00:05.123+07:00`. */
export function formatInstant(instant: Instant): string {
  return new Date(instant + jakartaOffsetMs).toISOString().replace("Z", "+07:00");
}
