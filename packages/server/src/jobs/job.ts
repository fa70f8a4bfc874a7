/** Work that nobody calls: it becomes due by time, and every node looks for it (docs/engine.md). */
export interface Job {
  readonly name: string;
  /** Whether it acts on what time it is: then it waits while this node's clock and the database's differ. */
  readonly actsOnTime: boolean;
  /**
   * Does what is due now; begins nothing more after the given real time (epoch ms). Running twice at once is harmless.
   * `mayGoOn` is asked before each page whether this node's clock may still be acted on; absent: it may.
   */
  run(until: number, mayGoOn?: () => Promise<boolean>): Promise<void>;
  /** How much is due and not done yet. */
  pending(): Promise<number>;
}
