/** Messages between the supervisor and its workers, over the channel of Node's cluster (ADR 0038). */
import type { Readiness } from "../../edge/pages/health.ts";

/** Reports of a worker about itself, by the name of the question. */
export interface Reports {
  /** Its metrics in Prometheus' format. */
  readonly metrics: string;
  readonly readiness: Readiness;
  /** Connections with a call under way. */
  readonly busyConnections: number;
}
export type Question = keyof Reports;
/** Questions of a worker about all workers. */
export type Summaries = Pick<Reports, "metrics" | "readiness">;

export interface Addresses {
  readonly baseUrl: string;
  readonly managementUrl: string;
}

/** `report` and `summary` carry the number of their question; a report that failed has no value. */
export type FromWorker =
  | { readonly kind: "ready"; readonly addresses: Addresses }
  | { readonly kind: "report"; readonly id: number; readonly report?: Reports[Question] }
  | { readonly kind: "askAll"; readonly id: number; readonly question: keyof Summaries }
  /** Its listener is closed. */
  | { readonly kind: "released" };

export type ToWorker =
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  | { readonly kind: "summary"; readonly id: number; readonly summary: Summaries[keyof Summaries] }
  /** So many connections that are in use are closed by their next responses. */
  | { readonly kind: "closeBusyConnections"; readonly count: number }
  /** `skipsDelay`: others go on, so that no load balancer has to learn of it. */
  | { readonly kind: "stop"; readonly skipsDelay: boolean }
  /** The listeners of all that stop are closed. */
  | { readonly kind: "drain" };
