/** An act: why administration moves money that no partner asked for. It is kept with the journal. */
export interface Act {
  readonly kind: "opening";
  readonly reason: string;
}
