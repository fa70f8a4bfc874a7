/** The payer's answer to a payment request over the control API. */
import { formatTimestamp, object, operations, optional, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import { type AnswerResult, type Minor, type PaymentRequestDetails, summarizeRejection } from "@titian/server/admin";
import { ControlError, invalidField } from "../control-error.ts";
import { amountDescription, readAmount, writeAmount } from "../money-text.ts";
import { readBody } from "../read-input.ts";

export interface PaymentRequestCallsDeps {
  readonly paymentRequests: {
    find(referenceNo: string): Promise<PaymentRequestDetails | undefined>;
    /** Answers once the money has moved, or the rail has responded or been waited for. */
    approve(referenceNo: string, amount: Minor | undefined): Promise<AnswerResult>;
    decline(referenceNo: string): Promise<AnswerResult>;
  };
}

const ApproveBody = object({ amount: optional(string({ description: amountDescription })) });
const NoBody = object({});

interface PaymentRequestPath {
  readonly Params: { readonly referenceNo: string };
}

export function servePaymentRequestCalls(
  app: FastifyInstance,
  { paymentRequests: { find, approve, decline } }: PaymentRequestCallsDeps,
): void {
  const show = async (referenceNo: string) => describe(known(await find(referenceNo)));
  app.post<PaymentRequestPath>("/payment-requests/:referenceNo/approve", async ({ params, body }) => {
    const { amount } = readBody(ApproveBody, body);
    const request = known(await find(params.referenceNo));
    const approved = amount === undefined ? undefined : readAmount(amount, request.currency, "amount");
    check(await approve(params.referenceNo, approved), request);
    return show(params.referenceNo);
  });
  app.post<PaymentRequestPath>("/payment-requests/:referenceNo/decline", async ({ params, body }) => {
    readBody(NoBody, body);
    const request = known(await find(params.referenceNo));
    check(await decline(params.referenceNo), request);
    return show(params.referenceNo);
  });
}

function known(request: PaymentRequestDetails | undefined): PaymentRequestDetails {
  if (request) return request;
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

function describe(request: PaymentRequestDetails) {
  const { referenceNo, state, status, currency, requestedAmount, approvedAmount, expiresAt } = request;
  const amount = approvedAmount ?? requestedAmount;
  return {
    referenceNo,
    state,
    status,
    payerAccountNo: request.payerAccountNo,
    currency,
    ...(amount !== undefined && { amount: writeAmount(amount, currency) }),
    expiresAt: formatTimestamp(expiresAt),
    ...(request.answeredAt !== undefined && { answeredAt: formatTimestamp(request.answeredAt) }),
  };
}
