/**
 * Hooks into calls: who has one sees them, explains rejections, asks for faults. Production has an observer alone.
 */
import type { OperationName } from "@titian/contract";
import type { Reply } from "../interfaces/call.ts";
import type { Instant } from "../basics/clock.ts";
import type { CheckStep } from "./responses/rejected-call.ts";

/** One call as it was answered. Everything is by reference: an observer copies what it keeps. */
export interface ObservedCall {
  /** Correlation id, in the X-CORRELATION-ID header of the response. */
  readonly id: string;
  /** Real time at which its head was read. */
  readonly at: Instant;
  /** Our clock at that time, as step 6 uses it. */
  readonly businessTime: Instant;
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** Undefined: not read. */
  readonly body: Uint8Array | undefined;
  /** Fields of the body that were read and are valid. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Address of the caller. */
  readonly address: string;
  /** Undefined: unknown path. */
  readonly operation: OperationName | undefined;
  /** Claimed by X-PARTNER-ID, or found by X-CLIENT-KEY. */
  readonly partnerId: string | undefined;
  readonly isAuthenticated: boolean;
  /** Undefined: it passed the checks. */
  readonly rejectedAt: CheckStep | undefined;
  /** The reply, where it is no success. */
  readonly rejection: Pick<Reply, "case" | "field" | "reason" | "connection"> | undefined;
  /** Our number of what it made, changed (the hold of a capture, void or refund) or asked about, where its reply has one. */
  readonly number: string | undefined;
  /** The fault on purpose that it met. */
  readonly fault: FaultKind | undefined;
  /** HTTP status; 0 where the connection was cut before the call was carried out. */
  readonly status: number;
  /** Seven digits; empty where there is none. */
  readonly responseCode: string;
  /** Body of the response; empty where there is none yet. */
  readonly response: string;
  /** From its head until its response was decided, without a wait for its explanation; it may be sent later. */
  readonly durationMs: number;
}

export interface CallObserver {
  /** Synchronous, microseconds, never throws. */
  answered(call: ObservedCall): void;
}

/** Explains to its caller, in a sentence, why the checks rejected a call. The call has no response yet. */
export type ExplainRejection = (call: ObservedCall) => Promise<string | undefined>;

/**
 * `loseAnswer`: carried out, and the connection cut without a response. `delay`: carried out, and answered later.
 * `error500`, `error503`, `error429`: answered so, and nothing carried out. `breakOff`: the connection cut, and nothing
 * carried out.
 */
export type FaultKind = "loseAnswer" | "delay" | "error500" | "error503" | "error429" | "breakOff";

export interface Fault {
  readonly kind: FaultKind;
  /** Length of a `delay` (ms). */
  readonly delayMs: number;
}

export interface FaultInjection {
  /** Asked for each authenticated call, accepted or rejected; undefined at once for a partner that has no faults. */
  faultFor(partnerKey: string, operation: OperationName): undefined | Promise<Fault | undefined>;
}

/** Hooks of an embedding program into calls. */
export interface CallHooks {
  readonly observer?: CallObserver;
  /** Fills `additionalInfo.debugMessage` of rejections by the checks, for callers that send `X-Debug-Mode: true`. */
  readonly explain?: ExplainRejection;
  readonly faults?: FaultInjection;
}
