/** The one table from a business rejection to its response case and reason (spec D6). */
import {
  anotherSend,
  type CaseName,
  type ReasonOf,
  responseCases,
  responseCode,
  responseMessage,
} from "@titian/contract";
import type { Reply } from "../interfaces/call.ts";
import { isItemField } from "../ledger/bulks/accept.ts";
import type { CallRejectionKind, Rejection } from "../ledger/rejection.ts";

/** A case, and the reason in brackets behind its message where the case has several causes. */
type RejectionCase = { [Name in CaseName]: { readonly case: Name; readonly reason?: ReasonOf<Name> } }[CaseName];

const rejectionCases: Readonly<Record<CallRejectionKind, RejectionCase>> = {
  accountNotPermitted: { case: "transactionNotPermitted", reason: "Source account" },
  sameAccount: { case: "transactionNotPermitted", reason: "Same account" },
  unknownPayer: { case: "invalidAccount", reason: "Unknown source account" },
  unknownBeneficiary: { case: "invalidAccount", reason: "Unknown beneficiary account" },
  // Names the beneficiary account; of the source, where its field is named, see `reasonOf`.
  accountInactive: { case: "inactiveAccount", reason: "Beneficiary account" },
  accountDormant: { case: "dormantAccount", reason: "Beneficiary account" },
  currencyMismatch: { case: "invalidFieldFormat" },
  amountTooSmall: { case: "invalidAmount", reason: "Zero amount" },
  belowMinimum: { case: "invalidAmount", reason: "Below minimum" },
  overTransactionLimit: { case: "exceedsTransactionAmountLimit", reason: "Account limit" },
  overRailLimit: { case: "exceedsTransactionAmountLimit", reason: "Rail limit" },
  tooManyInPeriod: { case: "activityCountLimitExceeded", reason: "Account limit" },
  overDailyLimit: { case: "accountLimitExceeded", reason: "Source account" },
  beneficiaryOverLimit: { case: "accountLimitExceeded", reason: "Beneficiary account" },
  insufficientFunds: { case: "insufficientFunds" },
  bankUnknown: { case: "bankNotSupported", reason: "Unknown bank" },
  ownBank: { case: "bankNotSupported", reason: "Own bank" },
  bankUnreachable: { case: "bankNotSupported", reason: "Bank not reachable" },
  rejectedByRail: { case: "doNotHonor" },
  railClosed: { case: "featureNotAllowedAtThisTime" },
  railClosedByOperator: { case: "featureNotAllowedAtThisTime", reason: "Rail closed by operator" },
  serviceClosed: { case: "featureNotAllowedAtThisTime", reason: "Service closed" },
  railDown: { case: "featureNotAllowedAtThisTime", reason: "Rail down" },
  feeTooLarge: { case: "invalidAmount", reason: "Fee exceeds amount" },
  unknownMerchant: { case: "invalidMerchant" },
  payerMissing: { case: "invalidMandatoryField" },
  amountMissing: { case: "invalidMandatoryField" },
  validityOutOfRange: { case: "invalidFieldFormat" },
  customerTokenMissing: { case: "customerTokenNotFound" },
  originalNotFound: { case: "transactionNotFound" },
  referencesDisagree: { case: "transactionNotFound", reason: "References disagree" },
  captureNotNamed: { case: "invalidMandatoryField" },
  wrongState: { case: "invalidTransactionStatus" },
  amountDisagrees: { case: "invalidAmount", reason: "Amounts disagree" },
  overRemaining: { case: "exceedsTransactionAmountLimit", reason: "Hold remainder" },
  refundWindowClosed: { case: "transactionNotPermitted", reason: "Refund window" },
  overRefundable: { case: "exceedsTransactionAmountLimit", reason: "Refundable amount" },
  // One response for both: a partner does not learn what others ask of the payer.
  tooManyOpenRequests: { case: "activityCountLimitExceeded", reason: "Open requests" },
  tooManyOpenRequestsOfPayer: { case: "activityCountLimitExceeded", reason: "Open requests" },
  tooManyOnHold: { case: "activityCountLimitExceeded", reason: "Hold limit" },
};

const sourceFields: ReadonlySet<string | undefined> = new Set(["sourceAccountNo", "additionalInfo.sourceAccountNo"]);

/** The response to a rejection, the first time and on repeats. */
export function rejectionReply({ kind, field }: Rejection): Reply {
  if (!isCallRejection(kind)) throw new Error(`rejection ${kind} belongs to administration and has no response case`);
  const { case: caseName } = rejectionCases[kind];
  const reason = reasonOf(kind, field);
  return {
    case: caseName,
    ...(reason === undefined ? {} : { reason }),
    // The 400-class names a field (spec D2, steps 11 and 12), and every rejection of a bulk the item (spec D13).
    ...(field !== undefined && (responseCases[caseName].status === 400 || isItemField(field)) && { field }),
  };
}

/** The same for a send that gets the rejection of another one (spec D7): its message says so. */
export function ofAnotherSend(rejection: Rejection): Reply {
  const reply = rejectionReply(rejection);
  return { ...reply, reason: reply.reason === undefined ? anotherSend : `${reply.reason}] [${anotherSend}` };
}

/** Code and message of a rejection for queries (spec D15): those that its request got, or would have got. */
export function rejectionOf(rejection: Rejection, serviceCode: string) {
  const reply = rejectionReply(rejection);
  return { responseCode: responseCode(reply.case, serviceCode), responseMessage: responseMessage(reply.case, reply) };
}

function reasonOf(kind: CallRejectionKind, field: string | undefined): string | undefined {
  // Recorded without a time by the release before, also of a rail that was down.
  if (kind === "railClosed") return field === undefined ? undefined : `Rail closed until ${field}`;
  const isOfAccount = kind === "accountInactive" || kind === "accountDormant";
  return isOfAccount && sourceFields.has(field) ? "Source account" : rejectionCases[kind].reason;
}

function isCallRejection(kind: Rejection["kind"]): kind is CallRejectionKind {
  return kind in rejectionCases;
}
