/** Payment requests: listed, shown, and the payer's answer to them. */
import {
  array,
  boolean,
  choice,
  integer,
  object,
  optional,
  orNull,
  type Static,
  string,
  operations,
} from "@titian/contract";
import {
  amount,
  type AnswerResult,
  findPaymentRequest,
  listNewestPaymentRequests,
  listOpenRequestCounts,
  listPaymentRequests,
  type Minor,
  type PaymentRequestDetails,
  postingView,
  type QueryDeps,
  summarizeRejection,
  time,
} from "@titian/server/admin";
import { accountView } from "../accounts/account-view.ts";
import { ControlError, invalidField, unknownAccount } from "../control-error.ts";
import { amountDescription, readAmount, writeAmount } from "../money-text.ts";
import { defineCall } from "../rows/define-call.ts";
import { amounts, countView, flag, goesWith, limit, limitOf, listed, listPageOf, pageOf } from "../rows/pages.ts";
import { beneficiaryMembers, flatten } from "../transfers/beneficiary.ts";
import { showTransfer, transferDetailsView } from "../transfers/transfer-details.ts";

const states = ["waiting", "approved", "declined", "expired"] as const;
const state = choice(states, { description: `one of ${states.join(", ")}` });
const openAmount = optional(amount({ description: "absent: open, the approval names it" }));

const members = {
  referenceNo: string(),
  partnerId: string(),
  partnerReferenceNo: string(),
  payerAccountNo: string({ personal: "account" }),
  ...beneficiaryMembers,
  currency: string(),
  amount: openAmount,
  state,
  acceptedAt: time(),
  expiresAt: time(),
};
const paymentRequestView = object(members);
export type PaymentRequestView = Static<typeof paymentRequestView>;

const details = object({
  ...members,
  externalId: string(),
  remark: optional(string({ personal: "text" })),
  feeType: optional(choice(["OUR", "BEN", "SHA", "1000"], { description: "who bears the fee of a rail; absent: OUR" })),
  payer: optional(accountView),
  beneficiaryBankName: optional(string({ description: "absent: our own bank, or an unknown one" })),
  isOurs: boolean({ description: "the beneficiary's account is; else an approval pays over the interbank rail" }),
  requestedAmount: openAmount,
  approvedAmount: optional(amount()),
  status: string({ description: "latestTransactionStatus" }),
  meaning: string({ description: "of the state, as a sentence" }),
  answeredAt: optional(time()),
  answeredBy: optional(string({ description: "payer or operator" })),
  transfer: optional(transferDetailsView),
  postings: array(postingView, { description: "of the approval" }),
});
export type PaymentRequestDetailsView = Static<typeof details>;

const answered = object({
  referenceNo: string(),
  state,
  status: string({ description: "latestTransactionStatus" }),
  payerAccountNo: string({ personal: "account" }),
  currency: string(),
  amount: openAmount,
  expiresAt: time(),
  answeredAt: optional(time()),
});

export interface PaymentRequestCallsDeps {
  readonly queries: QueryDeps;
  readonly paymentRequests: {
    find(referenceNo: string): Promise<PaymentRequestDetails | undefined>;
    /** Answers once the money has moved, or the rail has responded or been waited for. */
    approve(referenceNo: string, amount: Minor | undefined): Promise<AnswerResult>;
    decline(referenceNo: string): Promise<AnswerResult>;
  };
}

type ReadDeps = Pick<PaymentRequestCallsDeps, "queries">;

export const paymentRequestCalls = [
  defineCall({
    name: "payment-request list",
    route: "GET /payment-requests",
    role: "viewer",
    does: "Payment requests, newest first unless order says otherwise; with payerAccountNo those to a payer's account, with waiting those of them that wait for the answer.",
    query: object({
      ...listed,
      ...amounts,
      state: optional(state),
      payerAccountNo: optional(string()),
      waiting: optional(flag),
    }),
    answer: object({ paymentRequests: array(paymentRequestView), next: orNull(string()), count: countView }),
    run: async ({ query }, { queries }: ReadDeps) => {
      const { payerAccountNo, waiting, ...list } = query;
      if (waiting !== undefined && payerAccountNo === undefined) {
        throw invalidField("waiting", "waiting belongs to payerAccountNo.");
      }
      if (payerAccountNo !== undefined) goesWith(query, "payerAccountNo", ["waiting"]);
      const found =
        payerAccountNo === undefined
          ? await listNewestPaymentRequests(queries, listPageOf(list, queries.reference))
          : await listPaymentRequests(queries, payerAccountNo, { ...pageOf(query), isWaiting: waiting === "true" });
      if (!found) throw unknownAccount(payerAccountNo ?? "");
      const { paymentRequests, ...rest } = found;
      const shown = paymentRequests.map(({ beneficiary, ...request }) => ({
        ...request,
        ...flatten(beneficiary),
        amount: amountOf(request),
      }));
      return { ...rest, paymentRequests: shown };
    },
  }),
  defineCall({
    name: "payment-request payers",
    route: "GET /payment-requests/payers",
    role: "viewer",
    does: "Payers with the most waiting requests first, with how many each partner has sent to them.",
    query: object({ limit }),
    answer: object({
      payers: array(
        object({
          payerAccountNo: string({ personal: "account" }),
          partnerId: string(),
          count: integer({ description: "of this partner to this payer" }),
          ofPayer: integer({ description: "of all partners to this payer" }),
          acceptedAt: time({ description: "of the first of them" }),
          expiresAt: time({ description: "of the last of them" }),
        }),
      ),
    }),
    run: async ({ query }, { queries }: ReadDeps) => ({
      payers: await listOpenRequestCounts(queries, limitOf(query)),
    }),
  }),
  defineCall({
    name: "payment-request show",
    route: "GET /payment-requests/{referenceNo}",
    role: "viewer",
    does: "A payment request with what has paid it, by its referenceNo or that of its approval.",
    answer: details,
    run: async ({ params: { referenceNo } }, { queries }: ReadDeps) => {
      const found = await findPaymentRequest(queries, referenceNo);
      if (!found) throw unknownPaymentRequest(`No payment request has the number ${referenceNo}.`);
      return showPaymentRequest(found);
    },
  }),
  defineCall({
    name: "payment-request approve",
    route: "POST /payment-requests/{referenceNo}/approve",
    role: "operator",
    does: "The payer approves a payment request; `amount` for an open one. Answers when the money has moved, or when the rail has responded or was waited for like 18. A rejected approval answers 409 with the reason, and the request stays open.",
    body: object({ amount: optional(string({ description: amountDescription })) }),
    answer: answered,
    run: async ({ params: { referenceNo }, body }, deps: PaymentRequestCallsDeps) => {
      const request = await find(deps, referenceNo);
      const approved = body.amount === undefined ? undefined : readAmount(body.amount, request.currency, "amount");
      check(await deps.paymentRequests.approve(referenceNo, approved), request);
      return find(deps, referenceNo);
    },
  }),
  defineCall({
    name: "payment-request decline",
    route: "POST /payment-requests/{referenceNo}/decline",
    role: "operator",
    does: "The payer declines. Answers like approve.",
    answer: answered,
    run: async ({ params: { referenceNo } }, deps: PaymentRequestCallsDeps) => {
      const request = await find(deps, referenceNo);
      check(await deps.paymentRequests.decline(referenceNo), request);
      return find(deps, referenceNo);
    },
  }),
] as const;

type Amounts = Pick<PaymentRequestDetails, "approvedAmount" | "requestedAmount">;
const amountOf = ({ approvedAmount, requestedAmount }: Amounts) => approvedAmount ?? requestedAmount;

async function find({ paymentRequests }: PaymentRequestCallsDeps, referenceNo: string) {
  const request = await paymentRequests.find(referenceNo);
  if (request) return { ...request, amount: amountOf(request) };
  throw unknownPaymentRequest("There is no payment request of this reference number.");
}

function unknownPaymentRequest(message: string): ControlError {
  return new ControlError(404, "unknownPaymentRequest", message, "referenceNo");
}

/** The answer of `GET /payment-requests/{referenceNo}`. */
function showPaymentRequest({ beneficiary, transfer, ...request }: PaymentRequestDetails) {
  return {
    ...request,
    ...flatten(beneficiary),
    isOurs: beneficiary.isOurs,
    amount: amountOf(request),
    transfer: transfer && showTransfer(transfer),
  };
}

/** A rejected answer leaves the request as it was. */
function check(result: AnswerResult, { requestedAmount, currency }: PaymentRequestDetails): void {
  if (result.kind !== "rejected") return;
  const { kind } = result.rejection;
  if (kind === "amountMissing") throw invalidField("amount", "The amount of this payment request is open: give one.");
  if (kind === "amountDisagrees") {
    const fixed = writeAmount(requestedAmount ?? 0n, currency);
    throw invalidField("amount", `The amount of this payment request is fixed: ${fixed}, or leave it out.`);
  }
  if (kind === "wrongState") {
    const message = "The payment request is not waiting for an answer: it is answered already, or has expired.";
    throw new ControlError(409, "wrongState", message, "referenceNo");
  }
  const { responseCode, responseMessage } = summarizeRejection(
    Number(operations.requestForPayment.code),
    result.rejection,
  );
  const message = `Not approved, and still waiting: ${responseMessage} (${responseCode}).`;
  throw new ControlError(409, kind, message);
}
