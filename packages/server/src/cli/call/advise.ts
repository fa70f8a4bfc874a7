/** What to do about an answer that is not a success. */
import type { CallName, SnapError } from "@titian/client";
import { type CaseName, type OperationRow, operations } from "@titian/contract";
import type { SandboxPartner } from "../sandbox-file.ts";

/** By case; `unauthorized` depends on its reason, and a field's fault on the field. */
const advice: Partial<Record<CaseName, string>> = {
  badRequest: "The body is no strict JSON object, or too large or deep. See it as sent with --dry-run.",
  invalidToken: "The token was refused twice. Is sandbox.json of the sandbox that runs now? Start it again: npm start",
  invalidCustomerToken: "Get a new customer token from service 74.",
  customerTokenNotFound: "This merchant's payments need a customer token from service 74.",
  featureNotAllowed: "The partner is not allowed this service, or is suspended. Choose another with --partner.",
  featureNotAllowedAtThisTime:
    "The rail is closed at this hour, or down: `titian rails check` shows its hours, POST /sandbox/clock moves to one, GET /sandbox/rails/{rail}/mode tells whether it is down.",
  exceedsTransactionAmountLimit:
    "Choose a smaller amount. Of a hold, service 64 tells what remains and what was captured and refunded.",
  accountLimitExceeded:
    "The account's daily limit is used up: choose a smaller amount, or wait for the next business day.",
  activityCountLimitExceeded:
    "The account has paid as often as it may in a period, or the hold was changed as often as one may be.",
  dormantAccount: "Wake the account (PATCH /sandbox/accounts/{accountNo} with the status active), or choose another.",
  inactiveAccount: "The account is blocked or closed: `titian sandbox credentials` lists active ones.",
  insufficientFunds:
    "Choose a smaller amount, or a funded account: POST /sandbox/accounts opens one. A refund is paid by the merchant's settlement account.",
  invalidAccount: "There is no such account: `titian sandbox credentials` lists those there are.",
  invalidAmount:
    "The amount is zero, below the least, does not fit the others of the request, or the fee leaves the beneficiary nothing.",
  invalidMerchant: "The merchant is not this partner's, or suspended: `titian sandbox credentials` lists merchants.",
  bankNotSupported: "There is no such bank, the rail does not reach it, or it is our own (17 transfers within it).",
  doNotHonor: "The rail did not carry it, and the money is back.",
  timeout: "The rail was silent, and nothing depends on it: ask again.",
  transactionNotFound: "No transaction of this partner fits all references that were given.",
  invalidTransactionStatus:
    "What it is about is no longer in a state that allows this: ask for its status (service 36 or 64).",
  conflict:
    "This X-EXTERNAL-ID was used before. For the same intent the answer tells what became of it; for a new one leave --external-id out.",
  duplicatePartnerReferenceNo:
    "An equal call with this number was accepted before: it happened once, as the answer tells.",
  inconsistentRequest: "This number was accepted before with other content. Use a new one for a new intent.",
  notSupported: "The service does not offer this operation yet.",
  tooManyRequests: "Wait, then repeat with the same --external-id.",
  serviceUnavailable: "Nothing was taken. Wait, then repeat with the same --external-id.",
  generalError: "Whether it took effect is open: repeat with the same --external-id.",
};

/** Of operations about an account at another bank, where they differ. */
const elsewhere: Partial<Record<CaseName, string>> = {
  invalidAccount:
    "There is no such account at that bank. In the sandbox every number has a holder, but for one that `titian sandbox credentials` tells.",
  inactiveAccount:
    "The source account, or the beneficiary's at its bank, is blocked or closed. `titian sandbox credentials` tells which beneficiaries are.",
  dormantAccount:
    "The source account, or the beneficiary's at its bank, is dormant. `titian sandbox credentials` tells which beneficiaries are.",
  accountLimitExceeded:
    "The daily limit of the source account, or of the beneficiary's at its bank, is used up. `titian sandbox credentials` tells whose is.",
  exceedsTransactionAmountLimit:
    "More than the rail carries, or than the account may pay at once: `titian rails check` shows what each rail carries.",
};

const byReason: Readonly<Record<string, string>> = {
  signature: "Compare the string to sign below with your own; the keys must be those of sandbox.json.",
  timestamp: "This machine's clock and the service's differ by more than the service allows.",
  "unknown client": "X-PARTNER-ID or X-CLIENT-KEY is not the service's. Is sandbox.json of the sandbox that runs now?",
  "invalid authorization code":
    "It was used, is older than 10 minutes, or another partner's: POST /sandbox/auth-codes or `titian auth-code new` makes one.",
  "invalid refresh token":
    "It has expired, or its successor was used: then its grant has ended. Start again with a new authorization code.",
  "connection not allowed": "The partner may not call from this address.",
};

/** One sentence, or undefined where the message says it all. */
export function advise(error: SnapError, partner: SandboxPartner): string | undefined {
  const { caseName, field, reason } = error;
  if (caseName === undefined) return undefined;
  if (caseName === "unauthorized") return byReason[reason?.toLowerCase() ?? ""];
  if (caseName === "invalidMandatoryField") return `Give it: ${assignmentsOf(error.operation, field ?? "name")}`;
  if (caseName === "invalidFieldFormat") {
    return field === "additionalInfo.validUpTo"
      ? "It must be a time 1 minute to 90 days ahead."
      : `${field ?? "A field"} has the wrong form: /docs of the service shows the right one.`;
  }
  if (caseName === "transactionNotPermitted") {
    return `${partner.partnerId} may debit ${partner.sourceAccounts.join(", ") || "no account"}; source and beneficiary must differ.`;
  }
  const { request }: OperationRow = operations[error.operation];
  return ("beneficiaryBankCode" in request ? elsewhere[caseName] : undefined) ?? advice[caseName];
}

/** How to learn what became of a transfer that was accepted and is not final yet; undefined for anything else. */
export function howToAsk(answer: { readonly operation: CallName; readonly referenceNo?: unknown }): string | undefined {
  const { code, request }: OperationRow = operations[answer.operation];
  if (typeof answer.referenceNo !== "string" || !("beneficiaryBankCode" in request)) return undefined;
  return `Accepted, not final. What became of it:\n  titian call 36 -f serviceCode=${code} -f originalReferenceNo=${answer.referenceNo}`;
}

/** An amount is two texts. */
function assignmentsOf(operation: SnapError["operation"], field: string): string {
  const { request }: OperationRow = operations[operation];
  const isMoney = request[field]?.type.kind === "money";
  return isMoney ? `--field ${field}.value=… --field ${field}.currency=IDR` : `--field ${field}=…`;
}

/** Whether the service found the signature wrong. */
export function isSignatureFault({ caseName, reason }: SnapError): boolean {
  return caseName === "unauthorized" && reason?.toLowerCase() === "signature";
}
