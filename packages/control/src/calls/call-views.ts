/**
 * Recorded calls as the control API answers them. Types only: the console's pages import them as types. Each node has a
 * record of its own, in memory. Times are real, ISO 8601 with milliseconds and +07:00; an absent value is left out. Texts
 * of callers are as they sent them, with tokens and secrets masked: a page shows them as text.
 */
import type { FaultKind } from "@titian/server";
import type { ExplainedView } from "./refusal-views.ts";

/** One call: of the lists, and of the event `call` of the stream. */
export interface CallView {
  /** The X-CORRELATION-ID of its answer. */
  readonly id: string;
  /** When its head was read. */
  readonly at: string;
  /** As claimed. */
  readonly partnerId?: string;
  /** Such as `interbankTransfer`; absent: unknown path. */
  readonly operation?: string;
  /** Two digits. */
  readonly serviceCode?: string;
  readonly method: string;
  /** Path and query, cut after 300 characters. */
  readonly path: string;
  /** 0: the connection was cut before the call was carried out. */
  readonly status: number;
  /** Empty where there is none. */
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly durationMs: number;
  /** Refused by a check of steps 1 to 12; a rejection by business rules is none. */
  readonly isRefused: boolean;
  /** The check that refused it. */
  readonly step?: number;
  readonly isAuthenticated: boolean;
  /** The fault on purpose that it met. */
  readonly fault?: FaultKind;
}

/** `GET /sandbox/calls?partnerId&refused&operation&before&limit`: newest first; `next` is the `before` of the next page. */
export interface CallsPage {
  readonly calls: readonly CallView[];
  readonly next: string | null;
}

/** `GET /sandbox/calls/{id}`. */
export interface CallDetails extends CallView, ExplainedView {
  /** Of the caller. */
  readonly address: string;
  readonly request: {
    /** As received. */
    readonly path: string;
    /** Names and values in the order received. */
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** Absent: the body was not read. */
    readonly body?: string;
    /** Of the whole body. */
    readonly bodyBytes: number;
    /** Whether `body` is only its start. */
    readonly isBodyCut: boolean;
  };
  /** Body of the answer. */
  readonly response: string;
  readonly isResponseCut: boolean;
}

/** The event `skipped` of the stream: calls of the time before it that have no event. */
export interface SkippedView {
  /** Calls that the stream would show, beyond 50 a second. */
  readonly calls: number;
  /** Calls of all partners that were counted and not recorded, beyond 200 a second. */
  readonly unrecorded: number;
}

/** `GET /sandbox/calls/minutes`: the last 60 minutes, oldest first; the last one is not over. */
export interface MinutesAnswer {
  readonly minutes: readonly MinuteView[];
}

export interface MinuteView extends CountView {
  /** When it began. */
  readonly minute: string;
  /** Percentiles of the time to the answer; null where there was no call. Within 5 %. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** By name; calls of unknown paths are `unknownPath`. */
  readonly operations: Readonly<Record<string, CountView>>;
}

export interface CountView {
  readonly calls: number;
  /** By the checks of steps 1 to 12. */
  readonly refused: number;
  /** By business rules, or failed: answered with neither 200 nor 202, and not refused. */
  readonly rejected: number;
  /** Sum of the amounts of accepted calls, decimal texts by currency: of 17 to 20, 22, 23, 63, 65, 67 and 69. */
  readonly amounts: Readonly<Record<string, string>>;
}
