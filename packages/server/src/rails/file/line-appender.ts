/** Appends lines to a file, durably: what comes while a write is under way goes with the next one. */
import type { FileHandle } from "node:fs/promises";
import { RailDown } from "../rail.ts";

export interface LineAppender {
  /**
   * Resolves when the line is durable.
   * @throws RailDown when nothing of it was written, and another error when that is open.
   */
  append(line: string): Promise<void>;
  /** Closes the file, behind what is being written. */
  close(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  readonly done: PromiseWithResolvers<void>;
}

/** `mayWrite` is asked before each write. */
export function createLineAppender(file: FileHandle, path: string, mayWrite: () => boolean): LineAppender {
  let waiting: Waiting[] = [];
  let lastWrite = Promise.resolve();
  let isOver = false;

  const write = async () => {
    const batch = waiting;
    waiting = [];
    const fail = (error: Error) => {
      for (const { done } of batch) done.reject(error);
    };
    if (isOver || !mayWrite()) return fail(new RailDown(`Nothing can be written to ${path} any more.`));
    try {
      await file.appendFile(batch.map(({ line }) => `${line}\n`).join(""));
      await file.datasync();
    } catch (error) {
      // A part of it may be there, and another write would end up in the middle of a line: the next start looks.
      isOver = true;
      return fail(new Error(`${path} could not be written.`, { cause: error }));
    }
    for (const { done } of batch) done.resolve();
  };

  return {
    append: (line) => {
      const done = Promise.withResolvers<void>();
      if (waiting.push({ line, done }) === 1) lastWrite = lastWrite.then(write);
      return done.promise;
    },
    close: async () => {
      await lastWrite;
      isOver = true;
      await file.close();
    },
  };
}
