/** Match of a number, summed up: an accepted request's payment, transfer, payment request, bulk or item of one. */
import {
  array,
  choice,
  currencyScale,
  type Noun,
  object,
  operationByCode,
  optional,
  type Static,
  string,
} from "@titian/contract";
import { wordMembers } from "../../admin/search/words.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import { parsePayload, type TransferPayload } from "../../operations/stored-payload.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { amount, type Found, time } from "../answers.ts";
import { findBulk } from "../transfers/bulks.ts";
import { findHold } from "../holds/holds.ts";
import { findPaymentRequest } from "../transfers/payment-requests.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { findTransfer } from "../transfers/transfers.ts";

const matchedBy = [
  "referenceNo",
  "captureNo",
  "voidNo",
  "refundNo",
  "bulkId",
  "journal",
  "traceNo",
  "notificationExternalId",
  "correlationId",
  "holderName",
  ...wordMembers,
] as const;

/**
 * `rejection`: a request that was rejected and has no timeline. `account`: it has no `referenceNo`. `call`: one that
 * this node remembers, or that was kept.
 */
export const numberMatch = object({
  kind: choice([
    "payment",
    "transfer",
    "paymentRequest",
    "bulk",
    "bulkItem",
    "account",
    "notification",
    "rejection",
    "call",
  ]),
  referenceNo: optional(string({ description: "for the timeline; of a notification, of what it is about" })),
  accountNo: optional(string({ description: "of an account, and else of the payer", personal: "account" })),
  accountId: optional(string({ description: "ours, of an account" })),
  partnerId: optional(string({ description: "absent for an account" })),
  matchedBy: choice(matchedBy, { description: "the first reason" }),
  reasons: array(
    object({
      by: choice(matchedBy),
      day: optional(string({ description: "business day of an amount, such as 2026-11-25" })),
    }),
    { description: "what of it was searched for" },
  ),
  serviceCode: optional(string({ description: "two digits: of the request, of the notification" })),
  status: optional(string({ description: "latestTransactionStatus; of a notification the one it reports" })),
  state: optional(string({ description: "of an account its status, of a notification its delivery" })),
  amount: optional(amount()),
  currency: optional(string()),
  name: optional(
    string({ description: "of an account: its holder; else the beneficiary's or merchant's", personal: "name" }),
  ),
  at: optional(time()),
  responseCode: optional(string({ description: "of a rejection, of a call" })),
  correlationId: optional(string({ description: "of a call, and of a rejection whose call was kept" })),
  responseMessage: optional(string()),
});

export type NumberMatch = Found<Static<typeof numberMatch>>;
export type MatchedBy = NumberMatch["matchedBy"];
/** Before it is known why it was found. */
export type NamedMatch = Omit<NumberMatch, "matchedBy" | "reasons">;

type Describe = (deps: QueryDeps, referenceNo: string) => Promise<NamedMatch | undefined>;

const byNoun: Readonly<Partial<Record<Noun, Describe>>> = {
  transfer: describeTransfer,
  paymentRequest: describePaymentRequest,
  bulk: async (deps, referenceNo) => (await describeItem(deps, referenceNo)) ?? describeBulk(deps, referenceNo),
  hold: describePayment,
};

/** Undefined: it is of a service that begins nothing. */
export async function describeRequest(deps: QueryDeps, request: AcceptedRequest): Promise<NamedMatch | undefined> {
  const { noun, rail } = operationByCode(request.service)?.about ?? {};
  if (noun === undefined) return undefined;
  const named =
    noun === "transfer" && rail === undefined
      ? describeIntrabank(deps, request)
      : await byNoun[noun]?.(deps, toReferenceNo(request.id));
  return named && { ...named, serviceCode: String(request.service) };
}

function describeIntrabank(deps: QueryDeps, { id, partner, payload, at }: AcceptedRequest): NamedMatch {
  const { amount: money, sourceAccountNo } = parsePayload<TransferPayload>(payload).request;
  return {
    kind: "transfer",
    referenceNo: toReferenceNo(id),
    partnerId: partnerIdOf(deps, partner),
    accountNo: sourceAccountNo,
    status: "00",
    state: "settled",
    amount: parseMinor(money.value, currencyScale(money.currency) ?? 0) ?? minor(0n),
    currency: money.currency,
    at,
  };
}

async function describeTransfer(deps: QueryDeps, number: string): Promise<NamedMatch | undefined> {
  const found = await findTransfer(deps, number);
  if (!found) return undefined;
  const { payerAccountNo: accountNo, sentAmount, beneficiary, acceptedAt: at } = found;
  return { ...found, kind: "transfer", accountNo, amount: sentAmount, name: beneficiary.name, at };
}

async function describeItem(deps: QueryDeps, number: string): Promise<NamedMatch | undefined> {
  const found = await describeTransfer(deps, number);
  return found && { ...found, kind: "bulkItem" };
}

async function describeBulk(deps: QueryDeps, number: string): Promise<NamedMatch | undefined> {
  const found = await findBulk(deps, number);
  if (!found) return undefined;
  const { bulkId: referenceNo, payerAccountNo: accountNo, openCount, acceptedAt: at } = found;
  return { ...found, kind: "bulk", referenceNo, accountNo, state: openCount > 0 ? "open" : "ended", at };
}

async function describePaymentRequest(deps: QueryDeps, number: string): Promise<NamedMatch | undefined> {
  const found = await findPaymentRequest(deps, number);
  if (!found) return undefined;
  const { payerAccountNo: accountNo, approvedAmount, requestedAmount, beneficiary, acceptedAt: at } = found;
  const { name } = beneficiary;
  return { ...found, kind: "paymentRequest", accountNo, amount: approvedAmount ?? requestedAmount, name, at };
}

async function describePayment(deps: QueryDeps, number: string): Promise<NamedMatch | undefined> {
  const found = await findHold(deps, number);
  if (!found) return undefined;
  const { payerAccountNo: accountNo, held, merchantId: name, placedAt: at } = found;
  return { ...found, kind: "payment", accountNo, amount: held, name, at };
}
