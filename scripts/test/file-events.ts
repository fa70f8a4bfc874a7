import { writeSync } from "node:fs";

/** Messages from the process of a test unit to the runner, a line of JSON each. */
export type FileEvent =
  /** A file begins that shares the process with others; `cpuMs`: what the process had used by then. */
  | { readonly kind: "begin"; readonly file: string; readonly cpuMs: number }
  | {
      readonly kind: "end";
      readonly name: string;
      /** File and line. */
      readonly place: string;
      readonly isSuite: boolean;
      readonly isSkipped: boolean;
      readonly isTodo: boolean;
      /** `type`: node's name of the kind of failure. */
      readonly failure?: { readonly type: string; readonly text: string };
    }
  | { readonly kind: "diagnostic"; readonly message: string }
  /** All tests have ended. */
  | { readonly kind: "summary" }
  /** At the end of the process: CPU time of it and of what it started and waited for, user and system. */
  | { readonly kind: "usage"; readonly cpuMs: number };

/** Number of the pipe in the process of a test unit. */
export const eventsPipe = 3;
/** Names the unit's main file to its process. */
export const fileVariable = "TEST_FILE_OF_RUNNER";

/** Processes that a test forks inherit the options of its own; their third pipe is another one. */
export const isTestUnit = process.env[fileVariable] === process.argv[1];

/** From the process of a unit. */
export const sendEvent = (event: FileEvent) => void writeSync(eventsPipe, `${JSON.stringify(event)}\n`);
