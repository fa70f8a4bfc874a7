/** Where files share a process: tells the runner whose tests begin, before a test that never gives way can stop it. */
import { isTestUnit, sendEvent } from "./file-events.ts";

// A hook is what makes a process one of tests, which those that a test forks are not.
if (isTestUnit) {
  const { beforeEach } = await import("node:test");
  let current: string | undefined;
  beforeEach((context) => {
    const file = "filePath" in context ? context.filePath : undefined;
    if (file === undefined || file === current) return;
    current = file;
    sendEvent({ kind: "begin", file });
  });
}
