/** Payment requests: listed, and the payer's answer to them. */
import { array, choice, object, optional, orNull, type Static, string, operations } from "@titian/contract";
import {
  amount,
  type AnswerResult,
  listNewestPaymentRequests,
  type Minor,
  type PaymentRequestDetails,
  type QueryDeps,
  summarizeRejection,
  time,
} from "@titian/server/admin";
import { ControlError, invalidField } from "../control-error.ts";
import { amountDescription, readAmount, writeAmount } from "../money-text.ts";
import { defineCall } from "../rows/define-call.ts";
import { page, pageOf } from "../rows/pages.ts";
import { beneficiaryMembers, flatten } from "../transfers/beneficiary.ts";

const state = choice(["waiting", "approved", "declined", "expired"]);
const openAmount = optional(amount({ description: "absent: open, the approval names it" }));

const paymentRequestView = object({
  referenceNo: string(),
  partnerId: string(),
  partnerReferenceNo: string(),
  payerAccountNo: string(),
  ...beneficiaryMembers,
  currency: string(),
  amount: openAmount,
  state,
  acceptedAt: time(),
  expiresAt: time(),
});
export type PaymentRequestView = Static<typeof paymentRequestView>;

const answered = object({
  referenceNo: string(),
  state,
  status: string({ description: "latestTransactionStatus" }),
  payerAccountNo: string(),
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

export const paymentRequestCalls = [
  defineCall({
    name: "payment-request list",
    route: "GET /payment-requests",
    role: "viewer",
    does: "Payment requests, newest first.",
    query: object(page),
    answer: object({ paymentRequests: array(paymentRequestView), next: orNull(string()) }),
    run: async ({ query }, { queries }: PaymentRequestCallsDeps) => {
      const { paymentRequests, next } = await listNewestPaymentRequests(queries, pageOf(query));
      const shown = paymentRequests.map(({ beneficiary, ...request }) => ({
        ...request,
        ...flatten(beneficiary),
        amount: amountOf(request),
      }));
      return { paymentRequests: shown, next };
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
  const message = "There is no payment request of this reference number.";
  throw new ControlError(404, "unknownPaymentRequest", message, "referenceNo");
}

/** What is rejected leaves the request as it was. */
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
  const message = `The payment request is still waiting: its approval was rejected with ${responseCode} ${responseMessage}.`;
  throw new ControlError(409, kind, message);
}
