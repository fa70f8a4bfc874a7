/** A stop on a machine so busy that the workers do not run for a while: what callers sent meanwhile is answered. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { eventually } from "../support/black-box/answers.ts";
import { createCaller } from "../support/black-box/caller.ts";
import { findProcesses } from "../support/black-box/processes.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { transferBody, transferPath } from "../support/black-box/transfers.ts";

const linuxOnly = { skip: process.platform !== "linux" };
const connections = 8;
/** Longer than a connection may be unused before a stopping worker closes it. */
const stalledMs = 800;

const production = await startProduction({ TITIAN_WORKERS: "2", TITIAN_SHUTDOWN_DELAY_SECONDS: "0" });
after(() => production[Symbol.asyncDispose]());
const { service, served, dataDir } = production;

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));

/** Then the workers have been told to close their connections: that message comes before the question for readiness. */
async function untilClosing(): Promise<void> {
  const connect = () => request(`${served.baseUrl}/`, { dispatcher: new Agent() }).catch(codeOf);
  await eventually(async () => (await connect()) === "ECONNREFUSED", 5);
  const health = await request(`${served.managementUrl}/health/ready`, { dispatcher: production.agent });
  await health.body.dump();
  assert.equal(health.statusCode, 503);
}

test(
  "requests that waited while the workers did not run are answered, no connection is reset",
  linuxOnly,
  async (t) => {
    const own = new Agent({ connections, pipelining: 1 });
    t.after(() => own.destroy());
    const caller = createCaller(served, production.caller.partner.partnerId, own);
    await caller.token();
    const [from = "", to = ""] = caller.partner.sourceAccounts;
    const pay = async () => {
      const signed = await caller.sign(transferPath, transferBody({ from, to, value: "1.00" }));
      return caller.send(signed, service.baseUrl).then(({ code }) => code, codeOf);
    };
    const payAll = () => Promise.all(Array.from({ length: connections }, pay));
    const paid = Array(connections).fill("2001700");
    assert.deepEqual(await payAll(), paid);

    const ended = service.end("SIGTERM");
    await untilClosing();
    const workers = findProcesses(dataDir).filter(({ pid }) => pid !== service.pid);
    for (const { pid } of workers) process.kill(pid, "SIGSTOP");
    const answers = payAll();
    await sleep(stalledMs);
    for (const { pid } of workers) process.kill(pid, "SIGCONT");
    assert.deepEqual(await answers, paid);
    assert.deepEqual(await ended, { code: 0, signal: null }, service.output());
  },
);
