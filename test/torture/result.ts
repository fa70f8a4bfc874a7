export interface TortureResult {
  /** What was lost, doubled or answered wrongly; empty when all is well. */
  readonly faults: readonly string[];
  /** What was done, with its figures. */
  readonly summary: string;
}
