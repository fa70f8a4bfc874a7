/**
 * Time in which a caller could not send on because we did not read its connection: for that time it is not late itself.
 */
import type { Socket } from "node:net";
import type { Clock } from "../../basics/clock.ts";

export class HeldTime {
  readonly #clock: Pick<Clock, "monotonic">;
  /** When it was last paused; undefined: it is read. */
  #since: number | undefined;
  #ms = 0;

  /** A connection is paused at first. */
  constructor(socket: Socket, clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#since = clock.monotonic();
    socket.on("pause", () => (this.#since ??= clock.monotonic()));
    socket.on("resume", () => {
      // It may have been paused again meanwhile.
      if (socket.isPaused()) return;
      this.#add();
      this.#since = undefined;
    });
  }

  /** The time since it was taken last (ms). Each is excused once: who sends byte after byte waits a little for each. */
  take(): number {
    this.#add();
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }

  #add(): void {
    if (this.#since === undefined) return;
    const now = this.#clock.monotonic();
    this.#ms += now - this.#since;
    this.#since = now;
  }
}
