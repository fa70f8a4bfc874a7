/** Queries of a capture (66) and a void (68): the accepted one of that number, else the newest rejected one (spec D8). */
import { formatTimestamp, type Money, operations } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { parsePayload } from "../stored-payload.ts";
import type { RejectedChange } from "./hold-payload.ts";
import {
  customerTokenNotFound,
  isOwn,
  lacksTokenOf,
  type QueryDeps,
  rejectWithoutToken,
  saysTheSame,
  byPartnerReference,
} from "./hold-queries.ts";
import { holdIdOf, zeroAmount } from "./find-hold.ts";
import { rejectionOf } from "../rejection-cases.ts";

/** A capture or void, accepted or rejected. */
interface Change {
  readonly amount: Money;
  readonly status?: "SUCCESS" | "FAILED";
  /** Our number, and when it was decided: of a success only. */
  readonly no?: string;
  readonly time?: string;
}

type Original = typeof operations.authCapture | typeof operations.authVoid;

interface ChangeQuery {
  /** The operation of the capture or void. */
  readonly original: Original;
  /** Response fields. */
  fields(change: Change): Readonly<Record<string, unknown>>;
}

export const handleAuthCaptureQuery = queryChange({
  original: operations.authCapture,
  fields: ({ amount, status, no, time }) => ({
    captureAmount: amount,
    captureNo: no,
    captureTime: time,
    latestCaptureStatus: status,
  }),
});

export const handleAuthVoidQuery = queryChange({
  original: operations.authVoid,
  fields: ({ amount, status, no, time }) => ({
    voidAmount: amount,
    voidNo: no,
    voidTime: time,
    latestVoidStatus: status,
  }),
});

const references = ["originalReferenceNo", "originalPartnerReferenceNo", "merchantId", "subMerchantId"];

interface Payload {
  readonly amount: Money;
  readonly hold: string;
  readonly request: Readonly<Record<string, unknown>>;
}

function queryChange(spec: ChangeQuery): (deps: QueryDeps) => Handler {
  return (deps) => async (call) => {
    const rejected = rejectWithoutToken(call, deps);
    if (rejected) return rejected;
    return (await findAccepted(spec, call, deps)) ?? (await findRejected(spec, call, deps)) ?? notFound(spec);
  };
}

/** An accepted one with other references is answered "not found", without a look for a rejected one. */
async function findAccepted(spec: ChangeQuery, call: Call, deps: QueryDeps): Promise<Reply | undefined> {
  const { reads } = deps;
  const row = await reads.findAcceptedRequest(referencesTo(spec, call));
  if (!row) return undefined;
  const { amount, hold: id, request } = parsePayload<Payload>(row.payload);
  const found = await reads.findHold(id);
  const ours = textIn(call, spec.original.about.number);
  if (!found || !isOwn(found, call)) return notFound(spec);
  if (ours !== undefined && holdIdOf(ours) !== row.id) return notFound(spec);
  if (lacksTokenOf(found, call, deps)) return customerTokenNotFound;
  const change: Change = { amount, status: "SUCCESS", no: toReferenceNo(row.id), time: formatTimestamp(row.at) };
  return { case: "success", isFinal: true, fields: { ...referencesIn(request), ...spec.fields(change) } };
}

async function findRejected(spec: ChangeQuery, call: Call, { reads }: QueryDeps): Promise<Reply | undefined> {
  if (call.request[spec.original.about.number] !== undefined) return undefined;
  const row = await reads.findRejectedRequest(referencesTo(spec, call));
  if (!row) return undefined;
  const { amount, request } = parsePayload<RejectedChange & Pick<Payload, "request">>(row.payload);
  if (!saysTheSame(request, call.request, references)) return undefined;
  const { kind, field } = row;
  const rejection = rejectionOf({ kind, field }, spec.original.code);
  const fields = spec.fields({ amount, status: "FAILED" });
  return { case: "success", fields: { ...referencesIn(request), ...fields, additionalInfo: { rejection } } };
}

function referencesTo({ original: { code, about } }: ChangeQuery, call: Call) {
  return byPartnerReference(call, code, textIn(call, about.within) ?? "", textIn(call, about.partnerNumber) ?? "");
}

/** Text of a field, if there is one. */
function textIn({ request }: Call, name: string): string | undefined {
  const text = request[name];
  return typeof text === "string" ? text : undefined;
}

function referencesIn({ originalReferenceNo, originalPartnerReferenceNo }: Payload["request"]) {
  return { originalReferenceNo, originalPartnerReferenceNo };
}

/** The amount is mandatory in every response (spec D8). */
function notFound(spec: ChangeQuery): Reply {
  return { case: "transactionNotFound", fields: spec.fields({ amount: zeroAmount }) };
}
