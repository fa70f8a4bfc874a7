/** Durations of test files: the longest begin first. `npm test -- --keep-times` writes the list, which is committed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "durations.txt");
/** Shorter ones are not worth a line. */
const leastSeconds = 8;
const unknownSeconds = 2;

/** Seconds, by file. */
export type Durations = ReadonlyMap<string, number>;

export function readDurations(): Durations {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [seconds, file = ""] = line.trim().split(" ");
      return [file, Number(seconds)];
    }),
  );
}

export const secondsIn = (durations: Durations) => (file: string) => durations.get(file) ?? unknownSeconds;

export function writeDurations(durations: Durations): void {
  const long = [...durations].filter(([, seconds]) => seconds >= leastSeconds);
  const lines = long
    .toSorted(([, one], [, other]) => other - one)
    .map(([file, seconds]) => `${Math.round(seconds)} ${file}\n`);
  writeFileSync(path, lines.join(""));
}
