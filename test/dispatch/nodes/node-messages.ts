/** Messages between a node in a process of its own and its test. */
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import type { CrashPoint } from "./crash-points.ts";
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import type { InquiryIntervals } from "../../../packages/server/src/store/tables/due-transfers.ts";
import type { NodeCall } from "./dispatch-node.ts";

/**
 * A moment at which a node may be killed: the crash points of dispatch; a commit that has left and is not
 * answered, or is; a call to a rail that has left and is not answered.
 */
export type Moment = CrashPoint | "commitSent" | "committed" | "submitCalled" | "acknowledgeCalled";

export interface NodeSettings {
  readonly url: string;
  readonly interbankWaitMs: number;
  readonly railTimeoutMs: number;
  /** Interval at which the jobs run by themselves; absent: on request. */
  readonly everyMs?: number;
  /** Until a rail is asked again; absent: as a service does. */
  readonly ask?: InquiryIntervals;
}

export type NodeRequest =
  | { readonly kind: "call"; readonly call: NodeCall }
  /** The jobs once. */
  | { readonly kind: "look" }
  /** Distance of business time from real time (ms). */
  | { readonly kind: "clock"; readonly offset: number }
  /** Die at the given moment from now on, counted from 1. */
  | { readonly kind: "arm"; readonly at: number };

export type NodeAnswer =
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "done"; readonly failure?: string };

export type RailMethod = Exclude<keyof Rail, "name" | "close">;

/** A call to a rail, which lives with the test. */
export interface RailQuestion {
  readonly name: RailName;
  readonly method: RailMethod;
  readonly args: readonly unknown[];
}

export type RailAnswer =
  | { readonly kind: "answered"; readonly value: unknown }
  /** It certainly got nothing. */
  | { readonly kind: "down" }
  | { readonly kind: "broken" };
