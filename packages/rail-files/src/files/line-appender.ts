/** Appends lines to a file, durably: what comes while a write is under way goes with the next one. */
import type { FileHandle } from "node:fs/promises";
import { RailDown } from "@titian/server/rails";
import type { WriteAhead } from "../instructions/write-ahead.ts";

export interface NewLine {
  readonly line: string;
  /** Whether it is too late to write it; asked when it would be. */
  readonly isLate: () => boolean;
  /** Called when it is durable, before anything else is written. */
  readonly onWritten: () => void;
}

export interface LineAppender {
  /**
   * Resolves when the line is durable; nobody else sees it before.
   * @throws RailDown when nothing of it was written, and another error when that is open.
   */
  append(line: NewLine): Promise<void>;
  /** Nothing is written any more, behind what is on its way. */
  close(): Promise<void>;
}

export interface AppenderDeps {
  /** The file to append to now; asked before each write. */
  readonly target: () => Promise<{ readonly name: string; readonly file: FileHandle }>;
  readonly ahead: WriteAhead;
  /** Asked before each write. */
  readonly mayWrite: () => boolean;
}

interface Waiting extends NewLine {
  readonly done: PromiseWithResolvers<void>;
}

export function createLineAppender({ target, ahead, mayWrite }: AppenderDeps): LineAppender {
  let waiting: Waiting[] = [];
  let lastWrite = Promise.resolve();
  let isOver = false;

  /** Those of the batch that it wrote. */
  const writeDown = async (batch: readonly Waiting[]): Promise<readonly Waiting[]> => {
    const { name, file } = await target().catch((error: unknown) => {
      throw new RailDown("No file can be opened to write to.", { cause: error });
    });
    if (isOver || !mayWrite()) throw new RailDown(`Nothing can be written to ${name} any more.`);
    const inTime = batch.filter(({ isLate }) => !isLate());
    if (inTime.length === 0) return [];
    const text = inTime.map(({ line }) => `${line}\n`).join("");
    try {
      await ahead.keep(name, text);
      if (!mayWrite()) throw new Error(`the directory of ${name} was given to another process`);
      await file.appendFile(text);
      await file.datasync();
    } catch (error) {
      // A part of it may be there, and another write would end up in the middle of a line: the next start looks.
      isOver = true;
      throw new Error(`${name} could not be written.`, { cause: error });
    }
    return inTime;
  };
  const write = async () => {
    const batch = waiting;
    waiting = [];
    try {
      for (const { onWritten, done } of await writeDown(batch)) {
        onWritten();
        done.resolve();
      }
      for (const { done } of batch) done.reject(new RailDown("It was handed over too late."));
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  };

  return {
    append: (line) => {
      const done = Promise.withResolvers<void>();
      if (waiting.push({ ...line, done }) === 1) lastWrite = lastWrite.then(write);
      return done.promise;
    },
    close: async () => {
      await lastWrite;
      isOver = true;
    },
  };
}
