/**
 * Writes lines to standard output and never waits for it: a terminal that stands still (Ctrl-S, a pager) must not stop the
 * service. What it does not take in time is left out, and counted.
 */
import { constants, openSync, writeSync } from "node:fs";
import { print } from "../output.ts";

export interface LineWriter {
  line(text: string): void;
}

/** Characters that wait for a reader. */
const waitingMax = 262_144;
const retryMs = 50;

/** Node writes to a terminal and waits, and to a pipe without. */
export function createLineWriter(isTerminal: boolean): LineWriter {
  const terminal = isTerminal ? openTerminal() : undefined;
  return terminal === undefined ? writeToPipe() : writeToTerminal(terminal);
}

/** The terminal once more, for writing without waiting: that is a property of each opening. */
function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

function writeToPipe(): LineWriter {
  let leftOut = 0;
  let isClosed = false;
  // The service goes on when its output has no reader any more.
  process.stdout.on("error", () => {
    isClosed = true;
  });
  return {
    line(text) {
      if (isClosed) return;
      if (process.stdout.writableLength > waitingMax) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) print(formatLeftOut(leftOut));
      leftOut = 0;
      print(text);
    },
  };
}

function writeToTerminal(terminal: number): LineWriter {
  let waiting = Buffer.alloc(0);
  let leftOut = 0;
  let isWaiting = false;

  function push(text: string): void {
    waiting = Buffer.concat([waiting, Buffer.from(`${text}\n`)]);
    if (!isWaiting) writeWaiting();
  }

  function writeWaiting(): void {
    isWaiting = false;
    while (waiting.length > 0) {
      const written = tryWrite(terminal, waiting);
      if (written === 0) {
        isWaiting = true;
        setTimeout(writeWaiting, retryMs).unref();
        return;
      }
      waiting = waiting.subarray(written);
    }
  }

  return {
    line(text) {
      if (waiting.length > waitingMax) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) push(formatLeftOut(leftOut));
      leftOut = 0;
      push(text);
    },
  };
}

/** Writes, and returns the number of bytes it took; all of them when it is gone. */
function tryWrite(terminal: number, bytes: Buffer): number {
  try {
    return writeSync(terminal, bytes);
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
    return isFull ? 0 : bytes.length;
  }
}

function formatLeftOut(lines: number): string {
  return JSON.stringify({ event: "leftOut", lines });
}
