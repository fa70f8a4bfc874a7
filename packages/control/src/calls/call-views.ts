/**
 * Recorded calls as answers. Each node has a record of its own, in memory. Times are real, ISO 8601 with milliseconds and
 * +07:00; an absent value is left out. Texts of callers are as they sent them, with tokens and secrets masked: a page shows
 * them as text.
 */
import {
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  optional,
  orNull,
  record,
  type Static,
  string,
} from "@titian/contract";
import { explained } from "./refusal-views.ts";

const call = {
  id: string({ description: "the X-CORRELATION-ID of its answer" }),
  at: string({ description: "when its head was read" }),
  partnerId: optional(string({ description: "as claimed" })),
  operation: optional(string({ description: "such as interbankTransfer; absent: unknown path" })),
  serviceCode: optional(string()),
  method: string(),
  path: string({ description: "path and query, cut after 300 characters" }),
  status: integer({ description: "0: the connection was cut before the call was carried out" }),
  responseCode: string({ description: "empty where there is none" }),
  responseMessage: string(),
  durationMs: number(),
  isRefused: boolean({ description: "by a check of steps 1 to 12; a rejection by business rules is none" }),
  step: optional(integer({ description: "the check that refused it" })),
  isAuthenticated: boolean(),
  fault: optional(
    choice(["loseAnswer", "delay", "error500", "error503", "error429", "breakOff"], {
      description: "the fault on purpose that it met",
    }),
  ),
};

/** Call of the lists, and of the event `call` of the stream. */
export const callView = object(call);
export type CallView = Static<typeof callView>;

export const callDetails = object({
  ...call,
  address: string({ description: "of the caller" }),
  request: object({
    path: string({ description: "as received" }),
    headers: array(object({ name: string(), value: string() }), { description: "in the order received" }),
    body: optional(string({ description: "absent: it was not read" })),
    bodyBytes: integer({ description: "of the whole body" }),
    isBodyCut: boolean({ description: "whether body is only its start" }),
  }),
  response: string({ description: "body of the answer" }),
  isResponseCut: boolean(),
  ...explained,
});
export type CallDetails = Static<typeof callDetails>;

/** The event `skipped` of the stream: calls of the time before it that have no event. */
export interface SkippedView {
  /** Calls that the stream would show, beyond 50 a second. */
  readonly calls: number;
  /** Calls of all partners that were counted and not recorded, beyond 200 a second. */
  readonly unrecorded: number;
}

const counts = {
  calls: integer(),
  refused: integer({ description: "by the checks of steps 1 to 12" }),
  rejected: integer({ description: "by business rules, or failed: neither 200 nor 202, and not refused" }),
  amounts: record(string()),
};
const countView = object(counts);
export type CountView = Static<typeof countView>;

/** Percentiles are within 5 %; null where there was no call. Calls of unknown paths are `unknownPath`. */
export const minuteView = object({
  minute: string({ description: "when it began" }),
  ...counts,
  p50Ms: orNull(number()),
  p99Ms: orNull(number()),
  operations: record(countView),
});
export type MinuteView = Static<typeof minuteView>;
