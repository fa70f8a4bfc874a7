/** Advice on a response that is not a success. */
import type { CallName, SnapError } from "@titian/client";
import { type CaseName, type OperationRow, operations } from "@titian/contract";
import type { SandboxPartner } from "../sandbox/sandbox-file.ts";

/** By case; `unauthorized` by its reason, field errors by field. */
const advice: Partial<Record<CaseName, string>> = {
  badRequest: "The body is not a strict JSON object, or too large or deeply nested. --dry-run shows it.",
  invalidToken: "The token was rejected twice. Is sandbox.json from the running sandbox? Start it again: npm start",
  invalidCustomerToken: "Get a new customer token from service 74.",
  customerTokenNotFound: "This merchant's payments need a customer token from service 74.",
  featureNotAllowed: "The partner may not use this service, or is suspended. Choose another with --partner.",
  featureNotAllowedAtThisTime:
    "The rail is closed at this hour, or down: `titian rails check` shows its hours, `titian sandbox clock` moves the time, `titian rails normal` ends another mode.",
  exceedsTransactionAmountLimit:
    "Choose a smaller amount. For a hold, service 64 returns the remaining, captured and refunded amounts.",
  accountLimitExceeded:
    "The account's daily limit is used up: choose a smaller amount, or wait for the next business day.",
  activityCountLimitExceeded:
    "The account's number of payments in a period, or the hold's number of events, has reached its limit.",
  dormantAccount: "Reactivate the account (`titian account status <number> active`), or choose another.",
  inactiveAccount: "The account is blocked or closed: `titian sandbox credentials` lists active ones.",
  insufficientFunds:
    "Choose a smaller amount, or a funded account: `titian account open` opens one. A refund is paid by the merchant's settlement account.",
  invalidAccount: "There is no such account: `titian sandbox credentials` lists the accounts.",
  invalidAmount: "The amount is zero, below the minimum, inconsistent with the other amounts, or not above the fee.",
  invalidMerchant: "The merchant is not this partner's, or suspended: `titian sandbox credentials` lists merchants.",
  bankNotSupported:
    "There is no such bank, the rail does not reach it, or it is this bank (use the intrabank transfer, 17).",
  doNotHonor: "The rail rejected it, and the money is back on the account.",
  timeout: "The rail did not respond. Nothing changed: try again.",
  transactionNotFound: "No transaction of this partner matches all the given references.",
  invalidTransactionStatus: "The transaction's state does not allow this: ask for its status (service 36 or 64).",
  conflict:
    "This X-EXTERNAL-ID was used before. If this is a repeat, the response has the outcome; for a new transaction leave --external-id out.",
  duplicatePartnerReferenceNo:
    "The same request with this number was accepted before and took effect once: the response has the outcome.",
  inconsistentRequest: "This number was accepted before with other content. Use a new one for a new transaction.",
  notSupported: "The service does not offer this operation yet.",
  tooManyRequests: "Wait, then repeat with the same --external-id.",
  serviceUnavailable: "Nothing was processed. Wait, then repeat with the same --external-id.",
  generalError: "Whether it took effect is unknown: repeat with the same --external-id.",
};

/** For operations on an account at another bank. */
const interbankAdvice: Partial<Record<CaseName, string>> = {
  invalidAccount:
    "There is no such account at that bank. In the sandbox every number exists except one: see `titian sandbox credentials`.",
  inactiveAccount:
    "The source account, or the beneficiary's at its bank, is blocked or closed. `titian sandbox credentials` lists such beneficiaries.",
  dormantAccount:
    "The source account, or the beneficiary's at its bank, is dormant. `titian sandbox credentials` lists such beneficiaries.",
  accountLimitExceeded:
    "The daily limit of the source account, or of the beneficiary's at its bank, is used up. `titian sandbox credentials` lists such beneficiaries.",
  exceedsTransactionAmountLimit:
    "Above the maximum of the rail or of the account: `titian rails check` shows those of the rails.",
};

const byReason: Readonly<Record<string, string>> = {
  signature: "Compare the string to sign below with yours; the keys must be those of sandbox.json.",
  timestamp: "This machine's clock and the service's differ by more than is allowed.",
  "unknown client": "X-PARTNER-ID or X-CLIENT-KEY is unknown to the service. Is sandbox.json from the running sandbox?",
  "invalid authorization code":
    "It was used, has expired (10 minutes), or belongs to another partner: `titian auth-code new` creates one.",
  "invalid refresh token":
    "It has expired, or its successor was used, which revokes the grant. Start again with a new authorization code.",
  "connection not allowed": "The partner may not call from this address.",
};

/** Undefined where the message is enough. */
export function advise(error: SnapError, partner: SandboxPartner): string | undefined {
  const { caseName, field, reason } = error;
  if (caseName === undefined) return undefined;
  if (caseName === "unauthorized") return byReason[reason?.toLowerCase() ?? ""];
  if (caseName === "invalidMandatoryField") return `Give it: --field ${field ?? "name"}=…`;
  if (caseName === "invalidFieldFormat") {
    if (field === "expiredDatetime")
      return "It must be a time in the future, at most 90 days ahead unless the bank set otherwise.";
    return field === "additionalInfo.validUpTo"
      ? "It must be 1 minute to 90 days in the future."
      : `${field ?? "A field"} has an invalid format: see /docs of the service.`;
  }
  if (caseName === "transactionNotPermitted") {
    return `${partner.partnerId} may debit ${partner.sourceAccounts.join(", ") || "no account"}; source and beneficiary must differ.`;
  }
  const { request }: OperationRow = operations[error.operation];
  return ("beneficiaryBankCode" in request ? interbankAdvice[caseName] : undefined) ?? advice[caseName];
}

/** Advice for the status of a pending transfer or payment request; undefined for other operations. */
export function statusAdvice(response: {
  readonly operation: CallName;
  readonly referenceNo?: unknown;
}): string | undefined {
  const { operation, referenceNo } = response;
  const { code, request, about }: OperationRow = operations[operation];
  if (typeof referenceNo !== "string") return undefined;
  const inquiry = `titian call 36 -f serviceCode=${code} -f originalReferenceNo=${referenceNo}`;
  if (about.noun === "paymentRequest") {
    return `Waiting for the payer. Its status, and the payer's approval:\n  ${inquiry}\n  titian payment-request approve ${referenceNo}`;
  }
  return "beneficiaryBankCode" in request ? `Accepted, pending. Its status:\n  ${inquiry}` : undefined;
}

/** True when the service rejected the signature. */
export function isSignatureError({ caseName, reason }: SnapError): boolean {
  return caseName === "unauthorized" && reason?.toLowerCase() === "signature";
}
