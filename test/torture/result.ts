export interface TortureResult {
  /** Faults: lost, doubled or answered wrongly; empty when all is well. */
  readonly faults: readonly string[];
  /** Account of what was done, with its figures. */
  readonly summary: string;
}
