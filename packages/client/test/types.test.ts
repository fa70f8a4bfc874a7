// Types that the compiler knows of a client. The functions are never called: `npm run check` compiles them, and an
// `@ts-expect-error` that finds no error is one itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptStatusText, type Money, operations, type TransactionStatusCode } from "@titian/contract";
import {
  type CallResponse,
  type Attempt,
  type CallName,
  type Client,
  createClient,
  isCallError,
  isOutcomeUnknown,
  isSnapError,
  type RequestOf,
  type ResponseOf,
  type WriteName,
} from "../src/index.ts";
import { transfer } from "./helpers/transfer.ts";

const hold = operations.authPayment.example.request;
const capture = operations.authCapture.example.request;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Claim extends true>(): void => undefined;

function namesAreExact(): CallName {
  holds<Same<Extract<CallName, "bulkNotification" | "rtgsNotification" | "sknNotification">, never>>();
  holds<Same<Extract<WriteName, "statusInquiryBank" | "accessTokenB2b" | "authPaymentQuery">, never>>();
  // @ts-expect-error A notification is received, not called.
  return "bulkNotification";
}

async function requestsAreTyped(client: Client): Promise<void> {
  await client.intrabankTransfer(transfer);
  // @ts-expect-error The source account is missing.
  await client.intrabankTransfer({ ...transfer, sourceAccountNo: undefined });
  // @ts-expect-error An amount is text, never a number.
  await client.intrabankTransfer({ ...transfer, amount: { value: 10_000, currency: "IDR" } });
  // @ts-expect-error No such field.
  await client.internalAccountInquiry({ beneficiaryAccountNo: "1", beneficiaryBankCode: "014" });
  await client.authCapture({ ...capture, lastCapture: "true" });
  const payer: RequestOf<"authPayment"> = { ...hold, additionalInfo: { sourceAccountNo: "1", ofOurs: 1 } };
  // @ts-expect-error A member that the provider reads is text.
  await client.authPayment({ ...payer, additionalInfo: { sourceAccountNo: 1 } });
  // @ts-expect-error A flag is text.
  await client.authCapture({ ...capture, lastCapture: true });
  // @ts-expect-error The partner's number of the hold is missing.
  await client.authVoid({ originalReferenceNo: "1", merchantId: "M", partnerVoidNo: "1" });
  // @ts-expect-error A refund names its hold by the partner's number.
  await client.authRefund({ originalReferenceNo: "1", partnerRefundNo: "1" });
  // @ts-expect-error Token calls have no external id.
  await client.accessTokenB2b({ grantType: "client_credentials" }, { externalId: "1" });
  // @ts-expect-error No such operation.
  await client.bulkNotification({});
  await client.call("statusInquiryBank", { serviceCode: "17", originalExternalId: "1" });
  // @ts-expect-error Another operation's request.
  await client.call("statusInquiryBank", transfer);
}

async function responsesAreTyped(client: Client): Promise<void> {
  const inquiry = await client.internalAccountInquiry({ beneficiaryAccountNo: "1" });
  holds<Same<typeof inquiry.beneficiaryAccountName, string>>();
  holds<Same<typeof inquiry.case, "success">>();

  const payment = await client.authPayment({ partnerReferenceNo: "1", merchantId: "M", title: "Hold" });
  holds<Same<typeof payment.case, "success" | "requestInProgress">>();
  holds<Same<typeof payment.amount, Money | undefined>>();
  if (payment.case === "success") {
    holds<Same<typeof payment.amount, Money>>();
    holds<Same<typeof payment.referenceNo, string>>();
    holds<Same<NonNullable<typeof payment.additionalInfo>["validUpTo"], string | undefined>>();
  }
  holds<Same<ResponseOf<"intrabankTransfer">["referenceNo"], string>>();
  const refund = await client.authRefund({ originalPartnerReferenceNo: "1", partnerRefundNo: "1" });
  if (refund.case === "success") holds<Same<typeof refund.refundNo, string>>();
  const query = await client.authCaptureQuery({ originalReferenceNo: "1", merchantId: "M", partnerCaptureNo: "1" });
  holds<Same<typeof query.captureAmount, Money>>();
  holds<Same<typeof query.latestCaptureStatus, AttemptStatusText | undefined>>();

  const token = await client.accessTokenB2b({ grantType: "client_credentials" });
  holds<Same<typeof token.accessToken, string>>();
  // @ts-expect-error Token calls have no external id.
  assert.ok(token.externalId);
}

async function grantsAreTyped(client: Client): Promise<void> {
  const { accessToken, refreshToken } = await client.getCustomerToken({ authCode: "c" });
  await client.getCustomerToken({ refreshToken });
  await client.authPaymentQuery({}, { customerToken: accessToken });
  // @ts-expect-error One of the two.
  await client.getCustomerToken({ authCode: "c", refreshToken });
  // @ts-expect-error Neither.
  await client.getCustomerToken({});
  // @ts-expect-error 74 itself is called without a customer's token.
  await client.getCustomerToken({ authCode: "c" }, { customerToken: accessToken });
}

async function errorsAreTyped(client: Client, error: unknown): Promise<void> {
  if (isSnapError(error, "intrabankTransfer")) {
    holds<Same<typeof error.originalResponse, (typeof error)["response"] | undefined>>();
    holds<Same<typeof error.latestTransactionStatus, TransactionStatusCode | undefined>>();
    holds<Same<typeof error.response.amount, Money | undefined>>();
    const response: CallResponse<"intrabankTransfer"> = await client.repeat(error);
    assert.ok(response.referenceNo);
  }
  if (isSnapError(error, "statusInquiryBank")) {
    // @ts-expect-error Reads have no attempt.
    await client.repeat(error);
  }
  if (isSnapError(error, "authRefund")) {
    // A rejected refund has a number too, if the provider gives one.
    holds<Same<typeof error.response.refundNo, string | undefined>>();
    holds<Same<typeof error.originalResponse, (typeof error)["response"] | undefined>>();
    holds<Same<typeof error.attempt, Attempt<"authRefund">>>();
  }
  if (isOutcomeUnknown(error)) {
    const response = await client.repeat(error);
    if (response.operation === "authCapture") holds<Same<typeof response, CallResponse<"authCapture">>>();
  }
  if (isCallError(error)) {
    switch (error.code) {
      case "ERR_SNAP_RESPONSE":
        return holds<Same<typeof error.httpStatus, number>>();
      case "ERR_NO_RESPONSE":
        return holds<Same<typeof error.reason, "network" | "timeout" | "aborted">>();
      case "ERR_OUTCOME_UNKNOWN":
      case "ERR_NOT_SENT":
      case "ERR_PROTOCOL":
        return;
      default:
        holds<Same<typeof error, never>>();
    }
  }
}

async function attemptsAreTyped(client: Client): Promise<void> {
  const attempt = client.prepare("intrabankTransfer", transfer);
  holds<Same<typeof attempt, Attempt<"intrabankTransfer">>>();
  const response = await client.send(attempt);
  holds<Same<typeof response, CallResponse<"intrabankTransfer">>>();
  // @ts-expect-error A read is called again, not repeated.
  client.prepare("statusInquiryBank", { serviceCode: "17" });
  // @ts-expect-error What was written down stays.
  attempt.body = "{}";
}

function optionsAreTyped(): void {
  const options = { baseUrl: "https://a.example", partnerId: "p", channelId: "1", clientKey: "k" };
  // @ts-expect-error Mode 1 needs the client secret.
  createClient({ ...options, credentials: { mode: "symmetric", privateKey: "" } });
  // @ts-expect-error A misspelt option.
  createClient({ ...options, credentials: { mode: "asymmetric", privateKey: "" }, timeout: 1 });
  createClient({ ...options, credentials: { mode: "asymmetric", privateKey: "" }, fetch: globalThis.fetch });
}

test("the compiler knows requests, responses, errors, attempts and options", () => {
  for (const claims of [
    namesAreExact,
    requestsAreTyped,
    responsesAreTyped,
    grantsAreTyped,
    errorsAreTyped,
    attemptsAreTyped,
    optionsAreTyped,
  ]) {
    assert.equal(typeof claims, "function");
  }
});
