/** Tells of results that were found, and looks for them at short intervals after a line was written whose result a caller waits for. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, elapsedSince, momentOf } from "@titian/server/rails";
import type { Results } from "./results.ts";

export interface ResultLooks {
  /** A line was written whose result a caller waits for. */
  begin(): void;
  /** Reads what is new. False: another node does. */
  look(): Promise<boolean>;
  /** From now on it calls back when a look has found something. */
  onFound(tell: () => void): void;
  close(): Promise<void>;
}

const lookEveryMs = 25;
/** The longer the last line is written, the rarer are looks: its result waits for a look for a tenth of that time, once a folder has rested. */
const timesPerLine = 10;
/** A folder rests so many times as long as a look took, also while lines are written to it: a large one is not read all the time. */
const restsPerLook = 9;
/** From then on the service's own interval is as short. */
const endsAfterMs = 10_000;
const pauseAfterFailureMs = 1_000;

/** `read` answers how many results are new. */
export function createResultLooks(read: Results["read"], clock: Clock): ResultLooks {
  const listeners: (() => void)[] = [];
  const closing = new AbortController();
  const { signal } = closing;
  /** Ends the part of a pause that is for the age of the last line alone. */
  let newLine = new AbortController();
  let writtenAt = momentOf(clock);
  let running: Promise<void> | undefined;
  const look = async (): Promise<boolean> => {
    const found = await read();
    if (found !== undefined && found > 0) for (const tell of listeners) tell();
    return found !== undefined;
  };
  /** Returns how long to pause behind it. */
  const lookOnce = async (): Promise<number> => {
    const at = momentOf(clock);
    try {
      await look();
      return restsPerLook * elapsedSince(at, clock);
    } catch {
      // The service looks too, and tells why it cannot.
      return pauseAfterFailureMs;
    }
  };
  const run = async () => {
    let restMs = 0;
    while (!signal.aborted && elapsedSince(writtenAt, clock) < endsAfterMs) {
      const [line, leastMs] = [writtenAt, Math.max(lookEveryMs, restMs)];
      const moreMs = elapsedSince(line, clock) / timesPerLine - leastMs;
      await sleep(leastMs, undefined, { signal }).catch(() => undefined);
      if (moreMs > 0 && writtenAt === line && !signal.aborted) {
        newLine = new AbortController();
        await sleep(moreMs, undefined, { signal: newLine.signal }).catch(() => undefined);
      }
      if (!signal.aborted) restMs = await lookOnce();
    }
    running = undefined;
  };
  return {
    look,
    onFound: (tell) => void listeners.push(tell),
    begin: () => {
      writtenAt = momentOf(clock);
      newLine.abort();
      if (!signal.aborted) running ??= run();
    },
    close: async () => {
      closing.abort();
      newLine.abort();
      await running;
    },
  };
}
