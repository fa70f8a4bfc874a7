/** Explanations as the control API answers them. Types only: the console's pages import them as types. */
import type { Diagnosis, Difference, Warning } from "@titian/explain";

/** One of `GET /sandbox/refusals?partnerId&last`, newest first; what is not known is left out. */
export interface RefusalView extends ExplanationView {
  /** The X-CORRELATION-ID of its answer; `GET /sandbox/calls/{id}` has the call. */
  readonly id: string;
  /** Real time, ISO 8601 with milliseconds and +07:00. */
  readonly at: string;
  /** As claimed. */
  readonly partnerId?: string;
  readonly operation?: string;
  /** Path and query. */
  readonly path: string;
  readonly responseCode: string;
  readonly step: number;
  readonly diagnosis: Diagnosis;
}

export interface ExplanationView {
  /** The clock that X-TIMESTAMP is compared with. */
  readonly ourClock?: string;
  /** X-TIMESTAMP minus our clock (ms). */
  readonly clockDifferenceMs?: number;
  /** The text that the signature is verified of, its token masked. */
  readonly stringToSign?: string;
  /** Hex SHA-256 of the body received, and of it without white space outside texts. */
  readonly bodyHash?: string;
  readonly minifiedBodyHash?: string;
  /** Where the text that was signed departs from ours, if the mistake is known. */
  readonly differsAt?: Difference;
}

/** What `GET /sandbox/calls/{id}` says beside the call; of a refused one with `diagnosis` and perhaps `differsAt`. */
export interface ExplainedView extends ExplanationView {
  readonly diagnosis?: Diagnosis;
  /** Probable mistakes for which a call is not refused here. */
  readonly warnings: readonly Warning[];
}
