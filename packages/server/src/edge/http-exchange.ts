/** A request under way, and what was decided about it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../interfaces/call.ts";
import type { Clock, Instant } from "../basics/clock.ts";
import { newCorrelationId } from "../basics/ids.ts";
import type { EchoSource } from "./responses/response-form.ts";
import type { FaultKind } from "./call-hooks.ts";
import type { CheckStep } from "./responses/rejected-call.ts";
import type { Route } from "./routing/routes.ts";

/** When and as what a request arrived. */
export interface Arrival {
  readonly correlationId: string;
  /** When its head was read (monotonic). */
  readonly startedAt: number;
  /** The same, real time. */
  readonly at: Instant;
  /** The same, business time. */
  readonly businessTime: Instant;
}

export function arrivalNow(clock: Clock): Arrival {
  return {
    correlationId: newCorrelationId(),
    startedAt: clock.monotonic(),
    at: clock.real(),
    businessTime: clock.now(),
  };
}

export interface Exchange {
  /** Undefined: no path of an operation. */
  readonly route: Route | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
}

export interface Decision {
  readonly reply: Reply;
  /** The check that the call did not pass. */
  readonly rejectedAt?: CheckStep | undefined;
  /** The part of the request that may be echoed. */
  readonly source?: EchoSource | undefined;
  /** Headers of this response alone: a flat list of names and values. */
  readonly headers?: readonly string[] | undefined;
  /** The request's body, where it was read. */
  readonly body?: Uint8Array | undefined;
  readonly isAuthenticated?: boolean;
  readonly fault?: FaultKind | undefined;
}

/** State of a call that has no reply: its connection is cut. */
export interface Undecided extends Omit<Decision, "reply"> {
  readonly reply?: Reply;
}

/** An authenticated call that is to be answered. */
export interface Deciding {
  /** State of the call before it is carried out. */
  readonly known: Omit<Decision, "reply">;
  /** Carries it out. */
  readonly decide: () => Promise<Decision>;
}
