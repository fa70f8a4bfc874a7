/** Request for payment (19): asks an account's holder to pay. Moves no money until it is approved (spec D12). */
import { isDeepStrictEqual } from "node:util";
import { operations, parseTimestamp, RailAccountNo, type TransactionStatusCode } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { decidePaymentRequest } from "../../ledger/payment-requests/request.ts";
import { paymentRequestState, paymentRequestStates } from "../../ledger/payment-requests/states.ts";
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import { findBank, isSameBank } from "../../ledger/rails/banks.ts";
import { reject } from "../../ledger/rejection.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { amountFingerprint, readOptional, writeMoney } from "../money.ts";
import type { PaymentRequestPayload } from "../stored-payload.ts";
import { keptFields, write } from "../write.ts";
import { whoBears } from "./rail-transfer.ts";

type Request = PaymentRequestPayload["request"];

interface Read {
  /** Number of the payer's open requests that are looked at. */
  readonly openMax: number;
}

export const handleRequestForPayment = write<"requestForPayment", PaymentRequestPayload, Read>(
  operations.requestForPayment,
  {
    read: ({ bankCode, beneficiaryAccountNo }, { rails, paymentRequests: { openOfPayerMax } }) => {
      const isCarried = findBank(rails, bankCode) === "own" || RailAccountNo.read(beneficiaryAccountNo) !== undefined;
      if (isCarried) return { ok: true, parsed: { openMax: openOfPayerMax } };
      return { ok: false, reply: { case: "invalidFieldFormat", field: "beneficiaryAccountNo" } };
    },
    fingerprint: ({ request }) => [...fingerprintOf(request), request.bankCode, request.amount ? "" : request.currency],
    hasSameContent: ({ request }, first, { rails }) =>
      isSameBank(rails, first.request.bankCode, request.bankCode) &&
      isDeepStrictEqual(fingerprintOf(first.request), fingerprintOf(request)) &&
      (request.currency === undefined || request.currency === first.currency),
    // The number of an account at another bank may be that of one of ours, which is then locked for nothing.
    locks: ({ request: { sourceAccountNo, beneficiaryAccountNo }, parsed }) => ({
      accountNumbers: [sourceAccountNo, beneficiaryAccountNo],
      openRequestsOf: { accountNo: sourceAccountNo, max: parsed.openMax },
    }),
    decide: ({ id, partner, request }, found, { now, reference }) => {
      const money = readOptional(request.amount);
      if (money === "tooFine") return reject("currencyMismatch", "amount.value");
      const { bankCode, feeType, expiredDatetime } = request;
      const order = {
        id,
        partner,
        requestedAmount: money?.amount,
        currency: money?.currency ?? request.currency,
        feeType,
        bankCode,
        expiresAt: parseTimestamp(expiredDatetime) ?? 0,
        at: now,
      };
      const [payer, beneficiary] = [
        found.account(request.sourceAccountNo),
        found.account(request.beneficiaryAccountNo),
      ];
      const bounds = { limits: reference.paymentRequests, open: found.openRequests() };
      const decision = decidePaymentRequest(order, payer, beneficiary, reference.rails, bounds);
      if (decision.kind !== "effect") return decision;
      const [{ currency } = { currency: "" }] = decision.effect.newPaymentRequests;
      const payload: PaymentRequestPayload = {
        request: { ...keptFields(request), ...(money && { amount: writeMoney(money) }) },
        currency,
      };
      return { kind: "effect", effect: { ...decision.effect, payload } };
    },
    onRejection: ({ kind }, { request }, { onFullPayer }) => {
      if (kind === "tooManyOpenRequestsOfPayer") onFullPayer?.(request.sourceAccountNo);
    },
    response: ({ request }, { id }) => ({
      referenceNo: toReferenceNo(id),
      partnerReferenceNo: request.partnerReferenceNo,
    }),
    latestStatus: async ({ id }, { reads, clock }) => (await readPaymentRequestStatus(id, { reads, clock })).status,
  },
);

/** Spec D7: what is asked of whom and for whom, without the bank's spelling; an open amount is none. */
function fingerprintOf(request: Request): readonly (string | undefined)[] {
  const { sourceAccountNo, beneficiaryAccountNo } = request;
  return [...amountFingerprint(request.amount), sourceAccountNo, beneficiaryAccountNo, whoBears(request)];
}

export interface PaymentRequestStatus {
  readonly status: TransactionStatusCode;
  readonly paymentRequest: PaymentRequest;
  /** Transfer of an approved request over a rail. */
  readonly transfer: RailTransfer | undefined;
}

/** The request's status until it is approved, then that of what it became. @throws when its row is missing. */
export async function readPaymentRequestStatus(
  id: string,
  { reads, clock }: { readonly reads: Reads; readonly clock: Pick<Clock, "now"> },
): Promise<PaymentRequestStatus> {
  const paymentRequest = await reads.findPaymentRequest(id);
  if (!paymentRequest) throw new Error(`the payment request of accepted request ${id} is missing`);
  const transfer = paymentRequest.state === "approved" ? await reads.findTransfer(id) : undefined;
  const { status } = transfer
    ? transferStates[transfer.state]
    : paymentRequestStates[paymentRequestState(paymentRequest, clock.now())];
  return { status, paymentRequest, transfer };
}
