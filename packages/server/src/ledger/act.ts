/** An act: why money moves that no partner asked for. It was proposed and approved before, and is kept with the journal. */
export interface Act {
  readonly id: string;
}
