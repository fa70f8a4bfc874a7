/**
 * Pace of a body: one that comes too slowly to be complete in the time-out of a request is late. Judged each 3 s by
 * what came since: one that came half and stalls is late as well.
 */
import type { Clock } from "../../../basics/clock.ts";

const completeWithinMs = 30_000;
const judgeEveryMs = 3_000;

export class BodyPace {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #expected: number;
  #bytes = 0;
  #judgedAt = 0;
  #judgedBytes = 0;
  #isLate = false;

  /** `expected`: bytes of the whole body. */
  constructor(expected: number, clock: Pick<Clock, "monotonic">) {
    this.#expected = expected;
    this.#clock = clock;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** From now on it is read: what was before is not judged. */
  restart(): void {
    this.#judgedAt = this.#clock.monotonic();
    this.#judgedBytes = this.#bytes;
  }

  isLate(): boolean {
    const ms = this.#clock.monotonic() - this.#judgedAt;
    if (ms < judgeEveryMs) return this.#isLate;
    this.#isLate = this.#bytes - this.#judgedBytes < this.#expected * (ms / completeWithinMs);
    this.restart();
    return this.#isLate;
  }
}
