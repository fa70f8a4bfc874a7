/**
 * Detects a connection that the network lost silently: PostgreSQL waits for us while we wait for PostgreSQL. Then the
 * old backend is ended from a second connection, so that it neither commits nor keeps a row locked, and the first
 * connection counts as lost.
 */
import { setImmediate as pendingInput } from "node:timers/promises";
import { type BackendToEnd, type BackendWait, endBackend } from "../end-backend.ts";

export interface SilenceOptions extends BackendToEnd {
  /** Time that a statement may wait for a response before each check. */
  readonly silenceMs: number;
  /** The backend is gone. */
  readonly onGone: () => void;
}

export interface SilenceWatch {
  /** A statement was sent. */
  sent(): void;
  /** A statement was answered, or failed. */
  answered(): void;
}

export function watchSilence(options: SilenceOptions): SilenceWatch {
  let waiting = 0;
  let answers = 0;
  const check = async () => {
    if (waiting === 0) return;
    const before = answers;
    // After a pause of this process the response may lie here unread.
    await pendingInput();
    const isSilent = () => answers === before;
    // Not one that works, for instance on a commit that waits for a disk or standby.
    const isIdle = ({ type }: BackendWait) => type === "Client" && isSilent();
    const ended = isSilent() ? await endBackend(options, isIdle).catch(() => undefined) : undefined;
    if (ended?.isGone) options.onGone();
    else timer.refresh();
  };
  const timer = setTimeout(() => void check(), options.silenceMs);
  timer.unref();
  return {
    sent: () => {
      waiting += 1;
      if (waiting === 1) timer.refresh();
    },
    answered: () => {
      waiting -= 1;
      answers += 1;
      timer.refresh();
    },
  };
}
