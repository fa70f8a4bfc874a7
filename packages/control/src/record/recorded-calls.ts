/** The record of calls: those of partners, newest first, as they are answered, and by minute. */
import { array, choice, object, operations, optional, orNull, type Static, string } from "@titian/contract";
import type { Clock } from "@titian/server/rails";
import { type CallFilter, matches } from "../calls/call-feed.ts";
import type { CallStreams } from "../calls/call-streams.ts";
import { callDetails, callView, minuteView } from "../calls/call-views.ts";
import { type ExplainedView, refusalView, type RefusalView } from "../calls/refusal-views.ts";
import type { CallRecord, RecordedCall } from "../calls/record-calls.ts";
import { type Hide, showCall, showClaim, showDetails } from "../calls/show-call.ts";
import { ControlError } from "../control-error.ts";
import type { CallExplanations } from "../explanations/explain-calls.ts";
import { defineCall } from "../rows/define-call.ts";
import { flag, nextOfBefore, limit, limitOf } from "../rows/pages.ts";
import { maskTarget, withoutExplanation } from "@titian/explain";
import { isoTime } from "../calls/iso-time.ts";
import type { Explanation } from "../explanations/explain-worker.ts";

export interface RecordedCallsDeps {
  readonly calls: {
    readonly record: CallRecord;
    readonly streams: CallStreams;
    readonly hide: Hide;
    readonly explanations: CallExplanations;
    readonly clock: Pick<Clock, "real">;
  };
}

const partnerId = optional(string({ description: "an X-PARTNER-ID" }));
const filter = {
  partnerId,
  refused: optional(flag),
  operation: optional(
    choice(Object.keys(operations), { description: "the name of an operation, such as interbankTransfer" }),
  ),
};
const filterQuery = object(filter);

const lastDefault = 20;

export const recordedCalls = [
  defineCall({
    name: "call list",
    route: "GET /calls",
    role: "support",
    does: "The newest calls of this node, newest first. Of refused ones it keeps the newest 1,000 beside the newest 1,000 of all.",
    query: object({
      ...filter,
      before: optional(string({ pattern: "^[0-9]{1,15}$", description: nextOfBefore })),
      limit,
    }),
    answer: object({ calls: array(callView), next: orNull(string()) }),
    run: ({ query }, { calls: { record, hide } }: RecordedCallsDeps) => {
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : Number(query.before);
      const { found, hasMore } = findCalls(record, { filter: filterOf(query), before, limit: limitOf(query) });
      const next = hasMore ? found.at(-1)?.sequence.toString() : undefined;
      return { calls: found.map((call) => showCall(call, hide)), next };
    },
  }),
  defineCall({
    name: "call stream",
    route: "GET /calls/stream",
    role: "support",
    does: "Calls as they are answered, as server-sent events `call` and `skipped`.",
    query: filterQuery,
    run: ({ query }, { calls: { streams } }: RecordedCallsDeps, { request, reply }) => {
      const lastEventId = request.headers["last-event-id"];
      streams.open(reply.raw, {
        filter: filterOf(query),
        lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
        correlationId: request.id,
      });
      reply.hijack();
    },
  }),
  defineCall({
    name: "call minutes",
    route: "GET /calls/minutes",
    role: "viewer",
    does: "The last 60 minutes, oldest first; the last one is not over.",
    answer: object({ minutes: array(minuteView) }),
    run: (_input, { calls: { record, clock } }: RecordedCallsDeps) => ({ minutes: record.minutes.list(clock.real()) }),
  }),
  defineCall({
    name: "call show",
    route: "GET /calls/{id}",
    role: "support",
    does: "A recorded call, by the X-CORRELATION-ID of its answer: headers and body as received, tokens and secrets masked, the answer, and why it was refused, or warnings.",
    answer: callDetails,
    run: async ({ params }, { calls: { record, hide, explanations } }: RecordedCallsDeps) => {
      const call = record.find(params.id);
      if (call !== undefined) return { ...showDetails(call, hide), ...(await showExplanation(call, explanations)) };
      const message = "This node has no call of this id: it keeps the newest 1,000, and the newest 1,000 refused ones.";
      throw new ControlError(404, "notRecorded", message, "id");
    },
  }),
  defineCall({
    name: "refusal list",
    route: "GET /refusals",
    role: "support",
    does: `The newest calls that this node refused in steps 1 to 12, newest first, each with the reason; ${lastDefault} unless last says how many.`,
    query: object({
      partnerId,
      last: optional(string({ pattern: "^([1-9][0-9]{0,2}|1000)$", description: "from 1 to 1000" })),
    }),
    answer: array(refusalView),
    run: async ({ query }, { calls: { record, hide, explanations } }: RecordedCallsDeps) => {
      const { last, partnerId: wanted } = query;
      const calls = [...record.refused()].filter((call) => wanted === undefined || call.partnerId === wanted);
      const views: Static<typeof refusalView>[] = [];
      for (const call of calls.slice(0, last === undefined ? lastDefault : Number(last)))
        views.push(showRefusal(call, hide, await explanations.of(call)));
      return views;
    },
  }),
] as const;

interface Wanted {
  readonly filter: CallFilter;
  /** A sequence. */
  readonly before: number;
  readonly limit: number;
}

function findCalls(record: CallRecord, { filter: wanted, before, limit: size }: Wanted) {
  const found: RecordedCall[] = [];
  for (const call of wanted.isRefused === true ? record.refused() : record.all()) {
    if (call.sequence >= before || !matches(call, wanted)) continue;
    if (found.length === size) return { found, hasMore: true };
    found.push(call);
  }
  return { found, hasMore: false };
}

function filterOf({ partnerId: of, refused, operation }: Static<typeof filterQuery>): CallFilter {
  return { partnerId: of, operation, isRefused: refused === undefined ? undefined : refused === "true" };
}

function showRefusal(call: RecordedCall, hide: Hide, explanation: Explanation | undefined): RefusalView {
  const { id, at, partnerId: claim, operation, target, responseCode, rejectedAt = 0 } = call;
  const { step: _step, ...report } = explanation?.report ?? withoutExplanation(call);
  return {
    id,
    at: isoTime(at),
    ...(claim !== undefined && { partnerId: showClaim(claim, hide) }),
    ...(operation !== undefined && { operation }),
    path: maskTarget(hide(target)),
    responseCode,
    step: rejectedAt,
    ...report,
  };
}

/** Shows any call: one that passed the checks has no diagnosis. */
async function showExplanation(call: RecordedCall, explanations: CallExplanations): Promise<ExplainedView> {
  const { report = withoutExplanation(call), warnings = [] } = (await explanations.of(call)) ?? {};
  const { step: _step, diagnosis, ...view } = report;
  return { ...view, ...(call.rejectedAt !== undefined && { diagnosis }), warnings };
}
