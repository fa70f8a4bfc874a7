/** Request for payment (19): asks an account's holder to pay. Moves no money until it is approved (spec D12). */
import { isDeepStrictEqual } from "node:util";
import {
  operations,
  parseTimestamp,
  RailAccountNo,
  type RequestOf,
  type TransactionStatusCode,
} from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import type { Context, Effect } from "../../engine/command.ts";
import type { LockedRows } from "../../engine/rows/lock-order.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { decidePaymentRequest } from "../../ledger/payment-requests/request.ts";
import { paymentRequestState, paymentRequestStates } from "../../ledger/payment-requests/states.ts";
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import { findBank, isSameBank } from "../../ledger/rails/banks.ts";
import { type Decision, reject } from "../../ledger/rejection.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { amountFingerprint, readOptional, writeMoney } from "../money.ts";
import type { PaymentRequestPayload } from "../stored-payload.ts";
import { keptFields, type Order, write, type WriteSpec } from "../write.ts";
import { whoBears } from "./rail-transfer.ts";
import { seeAccount, unlessElsewhere } from "./see-payee.ts";
import type { AcrossDeps, HandleAcross } from "./transfer-across-cells.ts";

type Request = PaymentRequestPayload["request"];

interface Read {
  /** Number of the payer's open requests that are looked at. */
  readonly openMax: number;
  /** True: the beneficiary's account is one of ours. */
  readonly isOwnBank: boolean;
}

type Spec = WriteSpec<"requestForPayment", PaymentRequestPayload, Read>;

const requestForPayment: Spec = {
  read: ({ bankCode, beneficiaryAccountNo }, { rails, paymentRequests: { openOfPayerMax } }) => {
    const isOwnBank = findBank(rails, bankCode) === "own";
    const isCarried = isOwnBank || RailAccountNo.read(beneficiaryAccountNo) !== undefined;
    if (isCarried) return { ok: true, parsed: { openMax: openOfPayerMax, isOwnBank } };
    return { ok: false, reply: { case: "invalidFieldFormat", field: "beneficiaryAccountNo" } };
  },
  fingerprint: ({ request }) => [...fingerprintOf(request), request.bankCode, request.amount ? "" : request.currency],
  hasSameContent: ({ request }, first, { rails }) =>
    isSameBank(rails, first.request.bankCode, request.bankCode) &&
    isDeepStrictEqual(fingerprintOf(first.request), fingerprintOf(request)) &&
    (request.currency === undefined || request.currency === first.currency),
  // The number of an account at another bank may be that of one of ours, which has no part in it.
  locks: ({ request: { sourceAccountNo, beneficiaryAccountNo }, parsed: { openMax, isOwnBank } }) => ({
    accountNumbers: isOwnBank ? [sourceAccountNo, beneficiaryAccountNo] : [sourceAccountNo],
    openRequestsOf: { accountNo: sourceAccountNo, max: openMax },
  }),
  decide: (order, found, context) => {
    const { request, parsed } = order;
    return decideWith(
      order,
      found,
      context,
      parsed.isOwnBank ? found.account(request.beneficiaryAccountNo) : undefined,
    );
  },
  onRejection: ({ kind }, { request }, { onFullPayer }) => {
    if (kind === "tooManyOpenRequestsOfPayer") onFullPayer?.(request.sourceAccountNo);
  },
  response: ({ request }, { id }) => ({
    referenceNo: toReferenceNo(id),
    partnerReferenceNo: request.partnerReferenceNo,
  }),
  latestStatus: async ({ id }, { reads, clock }) => (await readPaymentRequestStatus(id, { reads, clock })).status,
};

export const handleRequestForPayment = write(operations.requestForPayment, requestForPayment);

/** To pay an account in another cell: decided in the payer's, by what the beneficiary's has now. Its approval pays across cells. */
export function handleRequestForPaymentAcrossCells(deps: AcrossDeps): HandleAcross {
  return async (call, cell) => {
    const { beneficiaryAccountNo: accountNo } = call.request as RequestOf<"requestForPayment">;
    const asked = await seeAccount(deps.payeeCell(cell), call.partner.key, accountNo);
    const seen = unlessElsewhere(asked, accountNo, deps.reference().directory);
    const across: Spec = {
      ...requestForPayment,
      locks: (order) => ({ ...requestForPayment.locks(order), accountNumbers: [order.request.sourceAccountNo] }),
      decide: (order, found, context) =>
        seen ? decideWith(order, found, context, seen.account, cell) : { kind: "nothing" },
    };
    return write(operations.requestForPayment, across)(deps)(call);
  };
}

/** `cell`: the beneficiary's, where it is another one. */
function decideWith(
  { id, partner, request }: Order<"requestForPayment", Read>,
  found: LockedRows,
  { now, reference }: Context,
  beneficiary: Account | undefined,
  cell?: number,
): Decision<Effect<PaymentRequestPayload>> {
  const money = readOptional(request.amount);
  if (money === "tooFine") return reject("currencyMismatch", "amount.value");
  const { bankCode, feeType, expiredDatetime } = request;
  const terms = {
    id,
    partner,
    requestedAmount: money?.amount,
    currency: money?.currency ?? request.currency,
    feeType,
    bankCode,
    expiresAt: parseTimestamp(expiredDatetime) ?? 0,
    at: now,
  };
  const payer = found.account(request.sourceAccountNo);
  const bounds = { limits: reference.paymentRequests, open: found.openRequests() };
  const decision = decidePaymentRequest(terms, payer, beneficiary, reference.rails, bounds);
  if (decision.kind !== "effect") return decision;
  const [{ currency } = { currency: "" }] = decision.effect.newPaymentRequests;
  const payload: PaymentRequestPayload = {
    ...(cell !== undefined && { cell }),
    request: { ...keptFields(request), ...(money && { amount: writeMoney(money) }) },
    currency,
  };
  return { kind: "effect", effect: { ...decision.effect, payload } };
}

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
