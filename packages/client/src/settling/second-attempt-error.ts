/** A second attempt of what the store has an attempt of. */
import type { Attempt } from "../attempt.ts";

/** Nothing was sent: the number has an attempt with another external id or another body. Settle that one: `first`. */
export class SecondAttemptError extends Error {
  override readonly name = "SecondAttemptError";
  readonly code = "ERR_SECOND_ATTEMPT";
  readonly #first: Attempt;

  constructor(key: string, first: Attempt, { externalId }: Attempt) {
    const isOtherBody = externalId === first.externalId;
    const difference = isOtherBody ? "another body" : `the external id ${first.externalId}, not ${externalId}`;
    super(`${key} has an attempt with ${difference}: settle that one, or use another number`);
    this.#first = first;
  }

  /** The attempt that the store has. */
  get first(): Attempt {
    return this.#first;
  }
}
