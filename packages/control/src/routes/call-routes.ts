/** The record of calls over the control API. */
import { choice, object, operations, optional, type Static, string } from "@titian/contract";
import type { Clock } from "@titian/server/rails";
import type { FastifyInstance } from "fastify";
import { ControlError } from "../control-error.ts";
import { readQuery } from "../read-input.ts";
import type { CallExplanations } from "../explanations/explain-calls.ts";
import { showExplanation } from "./refusal-calls.ts";
import { type CallFilter, matches } from "../calls/call-feed.ts";
import type { CallStreams } from "../calls/call-streams.ts";
import type { CallDetails, CallsPage, MinutesAnswer } from "../calls/call-views.ts";
import type { CallRecord, RecordedCall } from "../calls/record-calls.ts";
import { type Hide, showCall, showDetails } from "../calls/show-call.ts";

export interface RecordedCallsDeps {
  readonly record: CallRecord;
  readonly streams: CallStreams;
  readonly hide: Hide;
  readonly explanations: CallExplanations;
  readonly clock: Pick<Clock, "real">;
}

const filterOptions = {
  partnerId: optional(string({ description: "an X-PARTNER-ID" })),
  refused: optional(choice(["true", "false"], { description: '"true" or "false"' })),
  operation: optional(
    choice(Object.keys(operations), { description: "the name of an operation, such as interbankTransfer" }),
  ),
};
const Filter = object(filterOptions);

const CallsQuery = object({
  ...filterOptions,
  before: optional(string({ pattern: "^[0-9]{1,15}$", description: "the `next` of the page before" })),
  limit: optional(string({ pattern: "^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$", description: "from 1 to 200" })),
});

const NoQuery = object({});
const pageDefault = 50;

interface CallPath {
  readonly Params: { readonly id: string };
}

export function serveRecordedCalls(
  app: FastifyInstance,
  { record, streams, hide, explanations, clock }: RecordedCallsDeps,
): void {
  app.get("/calls", async ({ query }) => listCalls({ record, hide }, readQuery(CallsQuery, query)));
  app.get("/calls/stream", async (request, reply) => {
    const { id: correlationId, headers, query } = request;
    const lastEventId = headers["last-event-id"];
    streams.open(reply.raw, {
      filter: filterOf(readQuery(Filter, query)),
      lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
      correlationId,
    });
    return reply.hijack();
  });
  app.get("/calls/minutes", async ({ query }): Promise<MinutesAnswer> => {
    readQuery(NoQuery, query);
    return { minutes: record.minutes.list(clock.real()) };
  });
  app.get<CallPath>("/calls/:id", async ({ params }): Promise<CallDetails> => {
    const call = record.find(params.id);
    if (call !== undefined) return { ...showDetails(call, hide), ...(await showExplanation(call, explanations)) };
    const message = "This node has no call of this id: it keeps the newest 1,000, and the newest 1,000 refused ones.";
    throw new ControlError(404, "notRecorded", message, "id");
  });
}

function listCalls(
  { record, hide }: Pick<RecordedCallsDeps, "record" | "hide">,
  query: Static<typeof CallsQuery>,
): CallsPage {
  const filter = filterOf(query);
  const before = query.before === undefined ? Number.POSITIVE_INFINITY : Number(query.before);
  const limit = query.limit === undefined ? pageDefault : Number(query.limit);
  const found: RecordedCall[] = [];
  for (const call of filter.isRefused === true ? record.refused() : record.all()) {
    if (call.sequence >= before || !matches(call, filter)) continue;
    if (found.length === limit) return pageOf(found, hide, found.at(-1)?.sequence);
    found.push(call);
  }
  return pageOf(found, hide, undefined);
}

function pageOf(calls: readonly RecordedCall[], hide: Hide, next: number | undefined): CallsPage {
  return { calls: calls.map((call) => showCall(call, hide)), next: next?.toString() ?? null };
}

function filterOf({ partnerId, refused, operation }: Static<typeof Filter>): CallFilter {
  return { partnerId, operation, isRefused: refused === undefined ? undefined : refused === "true" };
}
