/** The reporter in the process of a test file: it sends the results to the runner, which reads them from a pipe. */
import { writeSync } from "node:fs";
import { Transform } from "node:stream";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { eventsPipe, fileVariable, type FileEvent } from "./file-events.ts";

type Ended = Extract<TestEvent, { type: "test:pass" | "test:fail" }>["data"];

/** Node's own closing counts, which the runner makes over all files. */
const closingCount = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Processes that a test forks inherit this reporter; their third pipe is another one. */
const isTestFile = process.env[fileVariable] === process.argv[1];

export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    const message = describe(event);
    if (message !== undefined && isTestFile) writeSync(eventsPipe, `${JSON.stringify(message)}\n`);
    done();
  },
});

function describe({ type, data }: TestEvent): FileEvent | undefined {
  if (type === "test:pass" || type === "test:fail") return describeEnd(data);
  if (type === "test:summary") return { kind: "summary" };
  if (type !== "test:diagnostic" || closingCount.test(data.message)) return undefined;
  return { kind: "diagnostic", message: data.message };
}

function describeEnd({ name, file, line, skip, todo, details }: Ended): FileEvent {
  const error = "error" in details ? details.error : undefined;
  return {
    kind: "end",
    name,
    place: `${file}:${line ?? 1}`,
    isSuite: details.type === "suite",
    isSkipped: skip !== undefined,
    isTodo: todo !== undefined,
    ...(error && { failure: { type: failureTypeOf(error), text: inspect(error.cause ?? error) } }),
  };
}

function failureTypeOf(error: Error): string {
  return "failureType" in error ? String(error.failureType) : "unknown";
}
