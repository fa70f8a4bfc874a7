/** Builds the instruction of a transfer from its stored request. */
import type { Instant } from "../clock.ts";
import { toReferenceNo } from "../ids.ts";
import type { KeptTransfer } from "../transfer-sender.ts";
import type { Instruction } from "./rail.ts";

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

/** From the facts of the write that accepted it. */
export function readKept(id: string, facts: string): KeptTransfer {
  const kept: unknown = JSON.parse(facts);
  return { ...(kept as Omit<KeptTransfer, "id">), id };
}

const jakartaOffsetMs = 7 * 3_600_000;

/** `validUntil`: real time (epoch ms). */
export function instructionOf({ id, sentAmount, request }: KeptTransfer, validUntil: Instant): Instruction {
  const text = (name: string) => {
    const value = request[name];
    return typeof value === "string" ? value : undefined;
  };
  const details: Record<string, string> = {};
  for (const name of detailNames) {
    const value = text(name);
    if (value !== undefined) details[name] = value;
  }
  return {
    referenceNo: toReferenceNo(id),
    amount: sentAmount.value,
    currency: sentAmount.currency,
    beneficiaryBankCode: text("beneficiaryBankCode") ?? "",
    beneficiaryAccountNo: text("beneficiaryAccountNo") ?? "",
    beneficiaryAccountName: text("beneficiaryAccountName") ?? "",
    sourceAccountNo: text("sourceAccountNo") ?? "",
    details,
    validUntil: new Date(validUntil + jakartaOffsetMs).toISOString().replace("Z", "+07:00"),
  };
}
