/** Events of a shipper, for metrics and log. */

/**
 * Reasons to stop a stream. `ahead`: the mirror has entries that the payer's cell lost. `differs`: another balance at the same entry, or an
 * entry that no payment makes. `otherAccount`: it mirrors the account of another database. `missing`: entries that were not
 * mirrored are not there, or were detached.
 */
export type StopReason = "ahead" | "differs" | "otherAccount" | "missing";

export interface TransitStop {
  readonly currency: string;
  readonly reason: StopReason;
  /** Entries of the mirror. */
  readonly mirrored: number;
  /** Entries of the account that it mirrors. */
  readonly sent: number;
}

export interface TransitEvents {
  /** Nothing more is shipped until an operator has repaired it; once a stop. */
  stopped(stop: TransitStop): void;
  /** It goes on. */
  resumed(stop: TransitStop): void;
  /** The database of the cell cannot be used; once an outage. */
  away(cell: number, error: unknown): void;
  /** It can be used again. */
  back(cell: number): void;
  /** This shipper's commits credited the payees of so many entries, and unapplied funds in place of so many others. */
  mirrored(credited: number, diverted: number): void;
}

export const noTransitEvents: TransitEvents = {
  stopped: () => undefined,
  resumed: () => undefined,
  away: () => undefined,
  back: () => undefined,
  mirrored: () => undefined,
};
