/** Calls that touched a record: those that were kept (ADR 0072), and the one that made it, which the ledger has. */
import {
  boolean,
  choice,
  integer,
  isObject,
  object,
  type OperationRow,
  operationByCode,
  optional,
  parseResponseCode,
  responseMessage,
  type Static,
  string,
} from "@titian/contract";
import { createBodySeal } from "../../admin/search/kept-body.ts";
import { monthOf, readSearchKeys } from "../../admin/search/search-keys.ts";
import { fromReferenceNo } from "../../basics/ids.ts";
import type { Secrets } from "../../basics/secrets.ts";
import { unpackFreeForm } from "../../operations/free-form.ts";
import { parsePayload } from "../../operations/stored-payload.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { type KeptCall, listCallsOfNumber, listKeptCalls } from "../../store/tables/search/kept-calls.ts";
import { type Found, time } from "../answers.ts";
import { findTimeline } from "../money/timeline.ts";
import type { QueryDeps } from "../query-deps.ts";

/** Members of a call of a record. */
export const callOfRecord = {
  at: time({ description: "when its head was read; of inquiries that of the last one" }),
  operation: string({ description: "such as interbankTransfer" }),
  serviceCode: string(),
  outcome: choice(["accepted", "repeat", "rejected", "inquiry"]),
  correlationId: optional(
    string({ description: "its X-CORRELATION-ID; absent: the call that made the record, which was not kept" }),
  ),
  responseCode: optional(string()),
  responseMessage: optional(string({ description: "of the code, without what the answer named in brackets" })),
  address: optional(
    string({ description: "that it came from; absent: of inquiries, and of calls before this was kept" }),
  ),
  count: optional(integer({ description: "of answered inquiries, which are one entry: the last one's" })),
  body: optional(
    string({
      description: "of the call that made the record or changed it, and of rejected ones, without tokens and secrets",
      personal: "text",
    }),
  ),
  canBeSentAgain: boolean({ description: "whether body is whole" }),
  withoutBody: optional(
    choice(["items", "notKept", "unclear"], {
      description:
        "why there is none: a bulk's items are records; of repeats and inquiries none is kept; unclear: of calls at one moment, which made which change",
    }),
  ),
};

const view = object(callOfRecord);
type Call = Found<Static<typeof view>>;

export interface CallsDeps extends QueryDeps {
  readonly secrets: Secrets;
}

const rowsMax = 20;

/** By any number of ours, as a timeline is found. */
export async function findCallsOfRecord(deps: CallsDeps, number: string) {
  const timeline = await findTimeline(deps, number);
  if (timeline === undefined) return undefined;
  const id = fromReferenceNo(timeline.referenceNo) ?? "";
  const bulk = "bulkId" in timeline && timeline.bulkId !== undefined ? fromReferenceNo(timeline.bulkId) : undefined;
  const ids = bulk === undefined ? [id] : [id, bulk];
  const requests = await listAcceptedRequests(deps.pool, ids);
  const own = requests.find((request) => request.id === id);
  const { keptCalls = deps.pool } = deps;
  const [kept, before] = await Promise.all([
    listKeptCalls(keptCalls, ids),
    own === undefined ? [] : listCallsOfNumber(keptCalls, own.partnerReferenceKey, rowsMax),
  ]);
  // An item shows the calls that made its bulk, without inquiries about that.
  const rows = [...before, ...kept].filter(({ record, inquiries }) => record !== bulk || inquiries === undefined);
  const maker = requests.find((request) => request.id === (bulk ?? id));
  const calls = await describeCalls(deps, rows, { maker, changes: await listChanges(deps, timeline) });
  return { calls: calls.toSorted((a, b) => a.at - b.at), hasMore: kept.length >= rowsMax - 1 };
}

interface Requests {
  /** That of the record itself, or of its bulk. */
  readonly maker: AcceptedRequest | undefined;
  /** Those of a payment's captures, voids and refunds. */
  readonly changes: readonly AcceptedRequest[];
}

export async function describeCalls(
  deps: CallsDeps,
  rows: readonly KeptCall[],
  { maker, changes }: Requests,
): Promise<readonly Call[]> {
  const bodies = await openBodies(deps, rows);
  const made = maker && madeBy(rows, maker);
  const requests = new Map(changesMade(rows, changes));
  if (maker && made) requests.set(made, maker);
  const calls = rows.map((row, at): Call => {
    const { correlationId, responseCode, inquiries, address } = row;
    const request = requests.get(row);
    const operation = operationIn(responseCode);
    const outcome = outcomeOf(row);
    return {
      at: row.at,
      ...operationOf(operation),
      outcome,
      correlationId,
      responseCode,
      responseMessage: messageOf(responseCode),
      address,
      count: inquiries,
      ...describeBody(request ? bodyOf(request) : bodies[at], outcome, operation),
    };
  });
  if (maker === undefined || made !== undefined) return calls;
  const { at, service } = maker;
  const operation = operationByCode(service);
  const outcome = "accepted";
  return [...calls, { at, ...operationOf(operation), outcome, ...describeBody(bodyOf(maker), outcome, operation) }];
}

function describeBody(body: string | undefined, outcome: Call["outcome"], operation: OperationRow | undefined) {
  if (body !== undefined) return { body, canBeSentAgain: isWhole(body) };
  const isOfItems = operation?.about.noun === "bulk";
  const withoutBody = outcome !== "accepted" ? "notKept" : isOfItems ? "items" : "unclear";
  return { canBeSentAgain: false, withoutBody } as const;
}

function messageOf(code: string): string | undefined {
  const { caseName } = parseResponseCode(code) ?? {};
  return caseName && responseMessage(caseName);
}

const operationIn = (responseCode: string) => operationByCode(parseResponseCode(responseCode)?.serviceCode ?? "");

const operationOf = (row: OperationRow | undefined) => ({ operation: row?.name ?? "", serviceCode: row?.code ?? "" });

const repeats: ReadonlySet<string> = new Set(["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"]);

export function outcomeOf({ responseCode, inquiries }: Pick<KeptCall, "responseCode" | "inquiries">): Call["outcome"] {
  if (inquiries !== undefined) return "inquiry";
  const { status = 0, caseName = "" } = parseResponseCode(responseCode) ?? {};
  if (status < 300) return "accepted";
  return operationIn(responseCode)?.kind === "write" && repeats.has(caseName) ? "repeat" : "rejected";
}

/**
 * The call that made the record. Its answer may be no success: of a transfer that its rail rejected, or one that did not learn
 * of its own result.
 */
function madeBy(rows: readonly KeptCall[], { id, service, at }: AcceptedRequest): KeptCall | undefined {
  const operation = operationByCode(service);
  const isAnsweredByRail = operation?.cases.includes("requestInProgress") === true;
  const own = rows.filter((row) => row.record === id && operationIn(row.responseCode) === operation);
  const accepted = own.find((row) => outcomeOf(row) === "accepted");
  if (accepted !== undefined) return accepted;
  const isUnclear = ({ responseCode }: KeptCall) => isAnsweredByRail || responseCode.startsWith("5");
  return own.findLast((row) => outcomeOf(row) === "rejected" && row.at <= at && isUnclear(row));
}

type Timeline = NonNullable<Awaited<ReturnType<typeof findTimeline>>>;

const changeKinds: ReadonlySet<string> = new Set(["captured", "voided", "refunded"]);

async function listChanges({ pool }: CallsDeps, { kind, events }: Timeline): Promise<readonly AcceptedRequest[]> {
  if (kind !== "payment") return [];
  const numbers = events.flatMap((event) => (changeKinds.has(event.kind) ? (event.referenceNo ?? []) : []));
  const ids = new Set(numbers.flatMap((number) => fromReferenceNo(number) ?? []));
  return listAcceptedRequests(pool, [...ids]);
}

/** Each change with the call that made it, where only one can be it: read before the change, and after the one before that. */
function changesMade(
  rows: readonly KeptCall[],
  changes: readonly AcceptedRequest[],
): ReadonlyMap<KeptCall, AcceptedRequest> {
  const made = new Map<KeptCall, AcceptedRequest>();
  for (const [service, ofService] of Map.groupBy(changes, (change) => change.service)) {
    const calls = rows.filter(
      (row) => operationIn(row.responseCode) === operationByCode(service) && outcomeOf(row) === "accepted",
    );
    let since = -Infinity;
    for (const change of ofService.toSorted((a, b) => a.at - b.at)) {
      const possible = calls.filter((row) => !made.has(row) && row.at >= since && row.at <= change.at);
      const [call] = possible;
      if (call !== undefined && possible.length === 1) made.set(call, change);
      since = change.at;
    }
  }
  return made;
}

/** Bodies of the months whose key was not ended. */
async function openBodies(deps: CallsDeps, rows: readonly KeptCall[]): Promise<readonly (string | undefined)[]> {
  if (rows.every(({ body }) => body === undefined)) return [];
  const { keptCalls: pool = deps.pool, secrets } = deps;
  const seals = new Map(
    (await readSearchKeys({ pool, secrets })).map(({ month, key }) => [month, createBodySeal(key)]),
  );
  return rows.map(({ record, body, correlationId }) =>
    body === undefined ? undefined : seals.get(monthOf(record))?.open(body, correlationId),
  );
}

const freeFormParts = ["additionalInfo", "items"];

/** Body that makes the same request again; undefined for a bulk, whose items are records. */
function bodyOf({ service, payload, freeForm }: AcceptedRequest): string | undefined {
  if (operationByCode(service)?.about.noun === "bulk") return undefined;
  const { request } = parsePayload<{ readonly request: object }>(payload);
  const parts = freeFormParts.flatMap((name) => {
    const received = unpackFreeForm(freeForm, name);
    return received === undefined ? [] : [`"${name}":${received.toString("utf8")}`];
  });
  return `{${[...membersOf(request), ...parts].join(",")}}`;
}

function membersOf(request: object): readonly string[] {
  return Object.entries(request).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
}

function isWhole(body: string | undefined): boolean {
  if (body === undefined) return false;
  try {
    return isObject(JSON.parse(body));
  } catch {
    return false;
  }
}
