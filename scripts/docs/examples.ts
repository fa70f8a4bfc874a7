/** The programs of examples/calls, as the sandbox's generator of programs writes them now. */
import { writeExamples } from "../../packages/sandbox/src/try/code/write-examples.ts";
import type { Drift } from "./document.ts";

/** The text of each file, by its path. */
export function drawExamples(): ReadonlyMap<string, string> {
  return new Map([...writeExamples()].map(([file, text]) => [`examples/calls/${file}`, text]));
}

export function checkExamples(read: (path: string) => string): Drift[] {
  return [...drawExamples()]
    .filter(([path, text]) => read(path) !== text)
    .map(([path]) => ({
      path,
      line: 1,
      message: "the program is not what the console would write: npm run docs:draw",
    }));
}
