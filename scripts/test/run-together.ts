/**
 * Runs test files one after the other in this process. Each is imported within a test of its name, so that its hooks are for
 * its own tests, and begins when the one before has ended.
 */
import { after, test } from "node:test";
import { endShared, shareProcess } from "../../test/support/shared.ts";
import { cpuTimeMs } from "./cpu-time.ts";
import { sendEvent } from "./file-events.ts";

/** Time limit of a whole file. */
const timeout = 6 * 60_000;

/** Time after the last test for what a file that could not be imported has left open. */
const leftOpenMs = 5_000;

let isBroken = false;
shareProcess();
for (const file of process.argv.slice(2)) {
  test(file, { timeout }, async () => {
    // At once: a test that never gives way lets nothing else be told.
    sendEvent({ kind: "begin", file, cpuMs: cpuTimeMs() });
    await import(file).catch((error: unknown) => {
      isBroken = true;
      throw error;
    });
  });
}
after(async () => {
  await endShared();
  if (isBroken) setTimeout(() => process.exit(1), leftOpenMs).unref();
});
