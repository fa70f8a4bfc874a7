/** The reporter in the process of a test unit: it sends the results to the runner, which reads them from a pipe. */
import { Transform } from "node:stream";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { cpuTimeMs } from "./cpu-time.ts";
import { type FileEvent, isTestUnit, sendEvent } from "./file-events.ts";

type Ended = Extract<TestEvent, { type: "test:pass" | "test:fail" }>["data"];

/** Node's own closing counts, which the runner makes over all files. */
const closingCount = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

if (isTestUnit) process.once("exit", () => sendEvent({ kind: "usage", cpuMs: cpuTimeMs() }));

export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    const message = describe(event);
    if (message !== undefined && isTestUnit) sendEvent(message);
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
