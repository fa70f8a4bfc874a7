/** Calls of operations 17 and 18 as the edge hands them to their handlers. */
import { hash } from "node:crypto";
import { formatTimestamp, type OperationRow, operations } from "@titian/contract";
import type { Call } from "../../packages/server/src/interfaces/call.ts";
import { credentialsOf } from "../../test/support/edge/credentials.ts";
import { commandTimeoutMs } from "../command-terms.ts";
import type { Sides } from "../transfers/pick-accounts.ts";

/** Makes the call of one transfer of one rupiah. `id` is the external id and the partner's number: unique. */
export type MakeCall = (id: string, sides: Sides) => Call;

const amount = { value: "1.00", currency: "IDR" };
const noFreeForm: ReadonlyMap<string, Uint8Array> = new Map();

export function intrabankCalls(partner: string): MakeCall {
  return makeCalls(operations.intrabankTransfer, partner, (id, { from, to }) => ({
    partnerReferenceNo: id,
    amount,
    beneficiaryAccountNo: to,
    sourceAccountNo: from,
    transactionDate: formatTimestamp(Date.now()),
  }));
}

/** To an account of another bank, whatever its number; the payer pays the fee. */
export function interbankCalls(partner: string): MakeCall {
  return makeCalls(operations.interbankTransfer, partner, (id, { from, to }) => ({
    partnerReferenceNo: id,
    amount,
    beneficiaryAccountNo: to,
    beneficiaryAccountName: "Bench",
    beneficiaryBankCode: "014",
    feeType: "OUR",
    sourceAccountNo: from,
    transactionDate: formatTimestamp(Date.now()),
  }));
}

function makeCalls(
  operation: OperationRow,
  key: string,
  requestOf: (id: string, sides: Sides) => Readonly<Record<string, unknown>>,
): MakeCall {
  const partner = credentialsOf(key);
  return (id, sides) => ({
    operation,
    partner,
    externalId: id,
    signature: id,
    sentAt: Date.now(),
    windowEndsAt: Date.now() + commandTimeoutMs,
    request: requestOf(id, sides),
    bodyHash: hash("sha256", id),
    freeForm: noFreeForm,
    correlationId: id,
  });
}
