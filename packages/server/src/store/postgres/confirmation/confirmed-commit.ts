/**
 * Proof that PostgreSQL confirmed a commit without a warning: its synchronous standby has it, and all that was committed
 * before. Nothing leaves for a rail or a partner without one (spec D11, D13, D14). Only this file can make one.
 */
import type { Moment } from "../../../basics/clock.ts";

class Confirmation {
  readonly #sentAt: Moment;

  constructor(sentAt: Moment) {
    this.#sentAt = sentAt;
  }

  /** When the commit was sent. What leaves because of it leaves soon after, or not at all. */
  get sentAt(): Moment {
    return this.#sentAt;
  }

  /** The same proof for what may have been committed before: by a commit that was sent then, and lost. */
  since(sentAt: Moment): ConfirmedCommit {
    return sentAt.monotonic < this.#sentAt.monotonic ? new Confirmation(sentAt) : this;
  }
}

/** Proof of the commit of a transaction that has written: one that only reads waits for no standby. */
export type ConfirmedCommit = Confirmation;

/** Answer of PostgreSQL to a commit; `warned`: the wait for the synchronous standby was cancelled, for instance. */
interface CommitResponse {
  readonly isCommitted: boolean;
  readonly warned: boolean;
}

/** Undefined: there was no commit, or a failover may lose it. */
export function confirmCommit({ isCommitted, warned }: CommitResponse, sentAt: Moment): ConfirmedCommit | undefined {
  return isCommitted && !warned ? new Confirmation(sentAt) : undefined;
}
