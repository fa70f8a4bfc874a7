/** Progress of long work on standard error: a bar on a terminal, otherwise a line every 2 s. */
import cliProgress from "cli-progress";
import { createClock } from "@titian/server/admin";
import { note } from "./output.ts";

export interface Progress {
  /** `done` of `total` are done. */
  update(done: number, total: number): void;
  stop(): void;
}

const lineEveryMs = 2_000;

export interface ProgressWords {
  /** Name of the counted things: `accounts`. */
  readonly what: string;
  /** Word for those that are done: `checked`. */
  readonly done: string;
  /** True: the total is an estimate. */
  readonly isAbout?: boolean;
}

export function startProgress(words: ProgressWords): Progress {
  return process.stderr.isTTY === true ? startBar(words) : startLines(words);
}

function startBar({ what, isAbout }: ProgressWords): Progress {
  const format = `${what.padEnd(10)}[{bar}] {value} of ${isAbout === true ? "about " : ""}{total}`;
  const bar = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic);
  bar.start(1, 0);
  return {
    update: (done, total) => {
      bar.setTotal(Math.max(done, total, 1));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function startLines({ what, done: word, isAbout }: ProgressWords): Progress {
  const clock = createClock();
  let nextAt = clock.real() + lineEveryMs;
  let last = 0;
  return {
    update: (done, total) => {
      last = done;
      if (clock.real() < nextAt) return;
      nextAt = clock.real() + lineEveryMs;
      note(`${what}: ${done} of ${isAbout === true ? "about " : ""}${Math.max(done, total)}`);
    },
    stop: () => note(`${what}: ${last} ${word}`),
  };
}
