/** Match of a rejected call, summed up from its kept body. */
import { currencyScale, isObject, parseResponseCode, responseMessage } from "@titian/contract";
import type { RejectedCall } from "../../admin/search/rejected-calls.ts";
import { parseMinor } from "../../ledger/money.ts";
import { parsePayload } from "../../operations/stored-payload.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import type { NamedMatch } from "./number-match.ts";

interface Payload {
  readonly request: Readonly<Record<string, unknown>>;
  readonly amount?: Readonly<Record<string, unknown>>;
  readonly payer?: unknown;
}

/** A call that failed on our side may have been accepted: it is no rejection. */
export function describeRejectedCall(deps: Pick<QueryDeps, "reference">, rejected: RejectedCall): NamedMatch {
  const { partner, service, at, payload, call } = rejected;
  const { request, amount, payer } = parsePayload<Payload>(payload);
  const { status = 0, caseName } = parseResponseCode(call.responseCode) ?? {};
  return {
    kind: status < 500 ? "rejection" : "call",
    partnerId: partnerIdOf(deps, partner),
    serviceCode: String(service),
    correlationId: call.correlationId,
    responseCode: call.responseCode,
    responseMessage: caseName && responseMessage(caseName),
    accountNo: textOf(request["sourceAccountNo"] ?? payer),
    name: textOf(request["beneficiaryAccountName"]),
    at,
    ...(isObject(amount) && moneyOf(amount)),
  };
}

function moneyOf({ value, currency }: Readonly<Record<string, unknown>>): Pick<NamedMatch, "amount" | "currency"> {
  if (typeof value !== "string" || typeof currency !== "string") return {};
  const scale = currencyScale(currency);
  const amount = scale === undefined ? undefined : parseMinor(value, scale);
  return amount === undefined ? {} : { amount, currency };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
