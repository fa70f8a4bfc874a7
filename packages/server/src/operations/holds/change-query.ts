/** What 66 and 68 share: the accepted attempt under a partner's number, else the newest rejected one (spec D8). */
import type { Money } from "@titian/contract";
import { formatTimestamp, type OperationRow } from "@titian/contract";
import type { Call, Handler, Reply } from "../../call.ts";
import { toReferenceNo } from "../../ids.ts";
import { parseFacts } from "../stored-facts.ts";
import type { RejectedChange } from "./hold-facts.ts";
import {
  customerTokenNotFound,
  isOwn,
  lacksTokenOf,
  type QueryDeps,
  rejectWithoutToken,
  saysTheSame,
  wantedByNumber,
} from "./hold-queries.ts";
import { holdIdOf, nothing } from "./find-hold.ts";
import { rejectionOf } from "../rejection-cases.ts";

/** What of an attempt a query notifications; absent where there is none. */
export interface Attempt {
  readonly amount: Money;
  readonly status?: "SUCCESS" | "FAILED";
  /** Our number of it, and when it was decided: of a success only. */
  readonly no?: string;
  readonly time?: string;
}

export interface ChangeQuery {
  /** The write it asks about. */
  readonly about: OperationRow;
  /** The fields that hold the partner's number and ours. */
  readonly partnerNo: "partnerCaptureNo" | "partnerVoidNo";
  readonly ourNo: "captureNo" | "voidNo";
  /** The attempt in the fields of the answer. */
  tell(attempt: Attempt): Readonly<Record<string, unknown>>;
}

interface Facts {
  readonly amount: Money;
  readonly hold: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const references = ["originalReferenceNo", "originalPartnerReferenceNo", "merchantId", "subMerchantId"];

export function queryChange(spec: ChangeQuery, deps: QueryDeps): Handler {
  return async (call) => {
    const rejected = rejectWithoutToken(call, deps);
    if (rejected) return rejected;
    return (await findAccepted(spec, call, deps)) ?? (await findRejected(spec, call, deps)) ?? notFound(spec);
  };
}

/** An accepted attempt that does not fit is not found: no rejection stands for it. */
async function findAccepted(spec: ChangeQuery, call: Call, deps: QueryDeps): Promise<Reply | undefined> {
  const { reads } = deps;
  const row = await reads.findAcceptedWrite(wantedOf(spec, call));
  if (!row) return undefined;
  const { amount, hold: id, request } = parseFacts<Facts>(row.facts);
  const found = await reads.findHold(id);
  const ours = textIn(call, spec.ourNo);
  if (!found || !isOwn(found, call)) return notFound(spec);
  if (ours !== undefined && holdIdOf(ours) !== row.id) return notFound(spec);
  if (lacksTokenOf(found, call, deps)) return customerTokenNotFound;
  const attempt: Attempt = { amount, status: "SUCCESS", no: toReferenceNo(row.id), time: formatTimestamp(row.at) };
  return { case: "success", fields: { ...referencesIn(request), ...spec.tell(attempt) } };
}

async function findRejected(spec: ChangeQuery, call: Call, { reads }: QueryDeps): Promise<Reply | undefined> {
  if (call.request[spec.ourNo] !== undefined) return undefined;
  const row = await reads.findNewestRejection(wantedOf(spec, call));
  if (!row) return undefined;
  const { amount, request } = parseFacts<RejectedChange & Pick<Facts, "request">>(row.facts);
  if (!saysTheSame(request, call.request, references)) return undefined;
  const { kind, field } = row;
  const rejection = rejectionOf({ kind, field }, spec.about.code);
  const told = spec.tell({ amount, status: "FAILED" });
  return { case: "success", fields: { ...referencesIn(request), ...told, additionalInfo: { rejection } } };
}

function wantedOf({ about, partnerNo }: ChangeQuery, call: Call) {
  return wantedByNumber(call, about.code, textIn(call, "originalReferenceNo") ?? "", textIn(call, partnerNo) ?? "");
}

/** Of a field that holds a text, if it is there. */
function textIn({ request }: Call, name: string): string | undefined {
  const text = request[name];
  return typeof text === "string" ? text : undefined;
}

function referencesIn({ originalReferenceNo, originalPartnerReferenceNo }: Facts["request"]) {
  return { originalReferenceNo, originalPartnerReferenceNo };
}

/** The amount is mandatory in every answer (spec D8). */
function notFound(spec: ChangeQuery): Reply {
  return { case: "transactionNotFound", fields: spec.tell({ amount: nothing }) };
}
