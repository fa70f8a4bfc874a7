import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

/** A process with a supervisor of 1 s that does this after it was asked to stop. */
async function stopping(then: string) {
  const supervisor = new URL("stop-supervisor.ts", import.meta.url).href;
  const script = `
    import { superviseStop } from ${JSON.stringify(supervisor)};
    const supervisor = await superviseStop(1_000);
    supervisor.stopping();
    ${then}`;
  const child = spawn(process.execPath, ["--conditions=source", "--input-type=module", "--eval", script]);
  const [code, signal] = await once(child, "exit");
  return { code, signal };
}

test("a stop ends in time although the event loop never turns again", async () => {
  assert.deepEqual(await stopping("for (;;);"), { code: null, signal: "SIGKILL" });
});

test("a stop that is done ends by itself", async () => {
  assert.deepEqual(await stopping(""), { code: 0, signal: null });
});
