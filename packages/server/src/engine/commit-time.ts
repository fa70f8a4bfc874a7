/** When the commit of a command was sent: a process that was suspended since may act on it too late. */
import { type Clock, type Moment, momentOf } from "../clock.ts";
import type { Command } from "./command.ts";

export interface Watched<Facts> {
  readonly command: Command<Facts>;
  /** When the first commit that may contain it was sent; -Infinity if none was. */
  sentAt(): Moment;
}

export function watchCommit<Facts>(command: Command<Facts>, clock: Pick<Clock, "real" | "monotonic">): Watched<Facts> {
  let first: Moment | undefined;
  return {
    command: { ...command, beforeCommit: () => void (first ??= momentOf(clock)) },
    sentAt: () => first ?? { real: -Infinity, monotonic: -Infinity },
  };
}
