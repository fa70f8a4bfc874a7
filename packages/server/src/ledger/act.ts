/** An act: why administration moves money that no partner asked for. It is kept with the journal. */
export interface Act {
  /** adoption: of a payment that a rail carried and the database had forgotten. */
  readonly kind: "opening" | "adoption";
  readonly reason: string;
}
