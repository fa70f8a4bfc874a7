/** An act: why administration moves money that no partner asked for. It is kept with the journal. */
export interface Act {
  /** By which a repeat of the command finds it. Absent: that of its journal. */
  readonly id?: string;
  /** adoption: of a payment that a rail carried and the database had forgotten. */
  readonly kind: "opening" | "funding" | "adoption";
  readonly reason: string;
}
