/** When a command's commit was sent: what is done on the strength of it may come too late, if its process slept since. */
import { type Clock, type Moment, momentOf } from "../clock.ts";
import type { Command } from "./command.ts";

export interface Watched<Facts> {
  readonly command: Command<Facts>;
  /** The first time that a commit which may contain it was sent; long ago if there was none. */
  sentAt(): Moment;
}

export function watchCommit<Facts>(command: Command<Facts>, clock: Pick<Clock, "real" | "monotonic">): Watched<Facts> {
  let first: Moment | undefined;
  return {
    command: { ...command, beforeCommit: () => void (first ??= momentOf(clock)) },
    sentAt: () => first ?? { real: -Infinity, monotonic: -Infinity },
  };
}
