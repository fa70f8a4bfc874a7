/** Shared by transfers over rails (18, 22, 23): acceptance and stored payload (spec D11). */
import { isDeepStrictEqual } from "node:util";
import { type Money, operations, transactionStatuses } from "@titian/contract";
import type { Context } from "../../engine/command.ts";
import type { LockedRows } from "../../engine/rows/lock-order.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import { decideRailTransfer } from "../../ledger/transfers/accept.ts";
import type { FeeType } from "../../ledger/transfers/fees.ts";
import { businessDay } from "../../ledger/business-day.ts";
import { isSameBank } from "../../ledger/rails/banks.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { reject } from "../../ledger/rejection.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { amountFingerprint, readMoney, writeMoney } from "../money.ts";
import type { AcceptedTransfer, TransferSender } from "../../interfaces/transfer-sender.ts";
import { type Accepted, type KeptRequest, type Order, keptFields, type WriteDeps, type WriteSpec } from "../write.ts";

export type RailOperation = "interbankTransfer" | "rtgsTransfer" | "sknTransfer";

export interface RailDeps extends WriteDeps {
  readonly sender: TransferSender;
}

export interface RailPayload {
  /** With its amount as responses give it. */
  readonly request: KeptRequest<RailOperation>;
  /** The debited amount, and the numbers of the debited and credited account. */
  readonly amount: Money;
  readonly from: string;
  readonly to: string;
  /** Amount that the beneficiary's bank gets. */
  readonly sentAmount: Money;
  /** Account id of the payer. */
  readonly source: string;
}

type Shared = Pick<
  WriteSpec<RailOperation, RailPayload>,
  "fingerprint" | "hasSameContent" | "locks" | "decide" | "latestStatus"
>;

export function acceptOver(name: RailOperation): Shared {
  const { code, about } = operations[name];
  const { rail } = about;
  return {
    fingerprint: ({ request }) => transferFingerprint(request),
    hasSameContent: ({ request }, { request: first }, { rails }) => {
      const { beneficiaryBankCode } = request;
      return (
        isSameBank(rails, first.beneficiaryBankCode, beneficiaryBankCode) &&
        isDeepStrictEqual(transferFingerprint({ ...first, beneficiaryBankCode }), transferFingerprint(request))
      );
    },
    locks: ({ request }) => ({
      accountNumbers: [
        request.sourceAccountNo,
        internalAccountNo("suspense", request.amount.currency, rail, newTransfersPart),
      ],
    }),
    decide: (order, found, context) => decide(Number(code), rail, order, found, context),
    latestStatus: async ({ id }, { reads }) => transferStates[(await findRailTransfer(id, reads)).state].status,
  };
}

function transferFingerprint(request: KeptRequest<RailOperation>): readonly (string | undefined)[] {
  return [
    ...amountFingerprint(request.amount),
    request.sourceAccountNo,
    request.beneficiaryAccountNo,
    request.beneficiaryBankCode,
    whoBears(request),
  ];
}

/** Spec D11: OUR without a `feeType`; `1000` is SHA. */
export function whoBears({ feeType = "OUR" }: { readonly feeType?: FeeType | undefined }): string {
  return feeType === "1000" ? "SHA" : feeType;
}

function decide(
  service: number,
  rail: RailName,
  { id, partner, request }: Order<RailOperation>,
  found: LockedRows,
  { now, reference }: Context,
): ReturnType<Shared["decide"]> {
  const money = readMoney(request.amount);
  if (!money) return reject("currencyMismatch", "amount.value");
  const { amount, currency } = money;
  const decision = decideRailTransfer(
    {
      id,
      partner,
      service,
      rail,
      amount,
      currency,
      feeType: request.feeType,
      beneficiaryBankCode: request.beneficiaryBankCode,
      now,
      day: businessDay(now),
      suspensePart: newTransfersPart,
      suspenseId: newId(),
    },
    found.account(request.sourceAccountNo),
    found.internalAccount("suspense", currency, rail, newTransfersPart),
    reference.rails,
  );
  if (decision.kind !== "effect") return decision;
  const [posting] = decision.effect.postings;
  const [transfer] = decision.effect.newTransfers;
  if (!posting || !transfer) throw new Error(`transfer ${id} moves nothing`);
  const payload: RailPayload = {
    request: { ...keptFields(request), amount: writeMoney(money) },
    amount: writeMoney({ amount: posting.amount, currency }),
    from: request.sourceAccountNo,
    to: internalAccountNo("suspense", currency, rail, newTransfersPart),
    sentAmount: writeMoney({ amount: transfer.sentAmount, currency }),
    source: transfer.source,
  };
  return { kind: "effect", effect: { ...decision.effect, payload } };
}

export function toSubmission(
  name: RailOperation,
  { id, partner, commit, payload: { source, sentAmount, request } }: Accepted<RailPayload>,
): AcceptedTransfer {
  // As it was decided, by this process.
  const { code, about } = operations[name];
  const terms = { id, partner, service: Number(code), rail: about.rail, source, suspensePart: newTransfersPart };
  return { ...terms, sentAmount, request: { ...request }, commit };
}

/** The echo of the request, and our number. */
export function echoRequest({ request }: RailPayload, id: string): Readonly<Record<string, unknown>> {
  return { referenceNo: toReferenceNo(id), ...request };
}

/** @throws when the write that accepted it has no transfer: the audit would say so. */
export async function findRailTransfer(id: string, reads: Reads): Promise<RailTransfer> {
  const transfer = await reads.findTransfer(id);
  if (!transfer) throw new Error(`the transfer of write ${id} is not there`);
  return transfer;
}

export function statusFields(status: keyof typeof transactionStatuses) {
  return { transactionStatus: status, transactionStatusDesc: transactionStatuses[status].description };
}
