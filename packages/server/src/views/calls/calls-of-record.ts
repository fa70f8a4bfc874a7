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
  count: optional(integer({ description: "of answered inquiries, which are one entry: the last one's" })),
  body: optional(
    string({ description: "of the call that made the record, and of rejected ones, without tokens and secrets" }),
  ),
  canBeSentAgain: boolean({ description: "whether body is whole" }),
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
  const [kept, before] = await Promise.all([
    listKeptCalls(deps.pool, ids),
    own === undefined ? [] : listCallsOfNumber(deps.pool, own.partnerReferenceKey, rowsMax),
  ]);
  // An item shows the calls that made its bulk, without inquiries about that.
  const rows = [...before, ...kept].filter(({ record, inquiries }) => record !== bulk || inquiries === undefined);
  const maker = requests.find((request) => request.id === (bulk ?? id));
  const calls = await describeCalls(deps, rows, maker);
  return { calls: calls.toSorted((a, b) => a.at - b.at), hasMore: kept.length >= rowsMax - 1 };
}

export async function describeCalls(
  deps: CallsDeps,
  rows: readonly KeptCall[],
  maker: AcceptedRequest | undefined,
): Promise<readonly Call[]> {
  const bodies = await openBodies(deps, rows);
  const body = maker && bodyOf(maker);
  const made = maker && madeBy(rows, maker);
  const calls = rows.map((row, at): Call => {
    const { correlationId, responseCode, inquiries } = row;
    const shown = row === made ? body : bodies[at];
    return {
      at: row.at,
      ...operationOf(operationIn(responseCode)),
      outcome: outcomeOf(row),
      correlationId,
      responseCode,
      count: inquiries,
      body: shown,
      canBeSentAgain: isWhole(shown),
    };
  });
  if (maker === undefined || made !== undefined) return calls;
  const { at, service } = maker;
  const operation = operationOf(operationByCode(service));
  return [...calls, { at, ...operation, outcome: "accepted", body, canBeSentAgain: isWhole(body) }];
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

/** Bodies of the months whose key was not ended. */
async function openBodies(deps: CallsDeps, rows: readonly KeptCall[]): Promise<readonly (string | undefined)[]> {
  if (rows.every(({ body }) => body === undefined)) return [];
  const seals = new Map((await readSearchKeys(deps)).map(({ month, key }) => [month, createBodySeal(key)]));
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
