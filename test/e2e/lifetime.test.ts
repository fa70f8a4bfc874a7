/** Starting, stopping and killing the service, as operators and machines do it: only processes, signals and the file. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { request } from "undici";
import { createCaller } from "../support/black-box/caller.ts";
import { createControl } from "../support/black-box/control.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { endProcesses, findProcesses, findStrays } from "../support/black-box/processes.ts";
import { readSandboxFile, sandboxFileMode } from "../support/black-box/sandbox-file.ts";
import { startService } from "../support/black-box/service.ts";
import { createAgent } from "../support/black-box/start-sandbox.ts";
import { stopUnderLoad } from "../support/black-box/stop-under-load.ts";
import { expectCode, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { waitUntil } from "@titian/embedded-postgres";

const linuxOnly = { skip: process.platform !== "linux" };
/** A second is for noticing that npm is gone, the rest for draining and for PostgreSQL's orderly end. */
const goneWithinMs = 15_000;
const drainWithinMs = 20_000;

/** The tests follow one another on it: each finds what the one before left. */
const dataDir = createDataDir();
const agent = createAgent();
after(async () => {
  await agent.destroy();
  await endProcesses(dataDir, 3_000);
  removeDataDir(dataDir);
});

const partnerReferenceNo = "LIFETIME-1";
const look = { serviceCode: "17", originalPartnerReferenceNo: partnerReferenceNo };

test("a test that waits for sandbox.json finds a service that is ready, and all of it offline", async () => {
  const starting = startService({ dataDir });
  const written = () => existsSync(join(dataDir, "sandbox.json")) || undefined;
  assert.equal(await waitUntil(written, { timeoutMs: 90_000, everyMs: 5 }), true);
  const file = readSandboxFile(dataDir);
  const ready = await fetchText(`${file.baseUrl}/health/ready`);
  assert.equal(ready.status, 200, ready.text);
  assert.equal(sandboxFileMode(dataDir), 0o600);

  await using service = await starting;
  assert.equal(service.baseUrl, file.baseUrl);
  assert.equal((await fetchText(`${file.baseUrl}/health/live`)).status, 200);
  const metrics = await fetchText(`${file.baseUrl}/metrics`);
  assert.match(metrics.text, /^titian_queue_depth\{queue="requests"\} 0$/m);
  assert.match(metrics.text, /^titian_reference_data_age_seconds [\d.]+$/m);
  const openApi = JSON.parse((await fetchText(`${file.baseUrl}/openapi.json`)).text);
  assert.match(openApi.openapi, /^3\.1/);
  assert.ok(openApi.paths[`/${file.version}/${transferPath}`].post);
  await assertPageIsOffline(file.baseUrl);

  const caller = createCaller(file, "alpha", agent);
  const [from = "", to = ""] = caller.partner.sourceAccounts;
  expectCode(await caller.call(transferPath, transferBody({ from, to, partnerReferenceNo })), "2001700");
});

/** The documentation page and whatever it loads come from this server. */
async function assertPageIsOffline(baseUrl: string): Promise<void> {
  const page = await fetchText(`${baseUrl}/docs/`);
  assert.equal(page.status, 200);
  const links = [...page.text.matchAll(/<(?:link|script|img)\b[^>]*? (?:src|href)="([^"]+)"/g)].map(
    ([, link = ""]) => link,
  );
  assert.ok(links.length >= 3, page.text);
  for (const link of links) {
    const address = new URL(link, `${baseUrl}/docs/`);
    assert.equal(address.origin, baseUrl, `${link} is somewhere else`);
    assert.equal((await fetchText(address.href)).status, 200, link);
  }
}

async function fetchText(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await request(url, { dispatcher: agent });
  return { status: response.statusCode, text: await response.body.text() };
}

test("a second start is quick and remembers, SIGTERM drains and exits with 0", async (t) => {
  await using service = await startService({ dataDir });
  t.diagnostic(`second start: ready after ${Math.round(service.startedWithinMs)} ms`);
  const caller = createCaller(readSandboxFile(dataDir), "alpha", agent);
  const found = await caller.call(statusPath, look);
  expectCode(found, "2003600");
  assert.equal(found.body["latestTransactionStatus"], "00");

  // A connection that is kept open and idle is no reason to stay.
  const begunAt = performance.now();
  const exit = await service.end("SIGTERM");
  assert.deepEqual(exit, { code: 0, signal: null }, service.output());
  assert.ok(performance.now() - begunAt < drainWithinMs);
});

test("SIGTERM under load: not ready first, every call answered, no connection reset", async (t) => {
  for (const delay of ["0", "1"]) {
    await using service = await startService({ dataDir, env: { TITIAN_SHUTDOWN_DELAY_SECONDS: delay } });
    const begunAt = performance.now();
    const caller = createCaller(readSandboxFile(dataDir), "alpha", agent);
    const { exit, faults, answered, readyWhileStopping } = await stopUnderLoad(service, { caller, agent });
    t.diagnostic(`${answered} calls, stopped after ${Math.round(performance.now() - begunAt)} ms`);
    assert.deepEqual(faults, []);
    assert.deepEqual(exit, { code: 0, signal: null }, service.output());
    // The first may have been asked for before the signal arrived.
    if (delay === "1") assert.ok(readyWhileStopping.includes(503) && readyWhileStopping.lastIndexOf(200) < 1);
  }
});

test("npm start: planned faults happen; SIGTERM to npm drains and exits with 0", linuxOnly, async (t) => {
  await using service = await startService({ dataDir, by: "npm" });
  t.diagnostic(`npm start: ready after ${Math.round(service.startedWithinMs)} ms`);
  await assertFaultsHappen();
  const begunAt = performance.now();
  const exit = await service.end("SIGTERM");
  assert.equal(exit.code, 0, `${exit.signal} ${service.output()}`);
  assert.ok(performance.now() - begunAt < drainWithinMs);
  assert.deepEqual(await findStrays(dataDir, goneWithinMs), []);
});

test("npm killed outright leaves no node and no PostgreSQL behind, and loses nothing", linuxOnly, async () => {
  await using killed = await startService({ dataDir, by: "npm" });
  const caller = createCaller(readSandboxFile(dataDir), "alpha", agent);
  const [from = "", to = ""] = caller.partner.sourceAccounts;
  const kept = transferBody({ from, to, value: "1.00" });
  expectCode(await caller.call(transferPath, kept), "2001700");
  const family = findProcesses(dataDir);
  assert.ok(family.some(({ command }) => command.includes("main.mjs serve")) && family.length > 3, inspect(family));
  await killed.end("SIGKILL");
  assert.deepEqual(await findStrays(dataDir, goneWithinMs), []);

  await using _next = await startService({ dataDir });
  const next = createCaller(readSandboxFile(dataDir), "alpha", agent);
  const found = await next.call(statusPath, { ...look, originalPartnerReferenceNo: kept["partnerReferenceNo"] });
  assert.equal(found.body["latestTransactionStatus"], "00");
});

test("npm killed while the service starts: the service ends by itself", linuxOnly, async () => {
  const starting = startService({ dataDir, by: "npm" });
  const pidOf = (text: string) => findProcesses(dataDir).find(({ command }) => command.includes(text))?.pid;
  // As early as can be: it has not looked for its parent yet.
  assert.ok(await waitUntil(() => pidOf("main.mjs serve"), { timeoutMs: 30_000, everyMs: 5 }));
  const npm = pidOf("npm start");
  assert.ok(npm);
  process.kill(npm, "SIGKILL");
  await assert.rejects(starting, /ended before it was ready/);
  assert.deepEqual(await findStrays(dataDir, goneWithinMs), []);
});

test("the service killed outright takes its PostgreSQL along", linuxOnly, async () => {
  await using service = await startService({ dataDir });
  assert.ok(findProcesses(dataDir).length > 3);
  await service.end("SIGKILL");
  assert.deepEqual(await findStrays(dataDir, goneWithinMs), []);
});

test("the first start's data directory is rejected to a second service of its own", linuxOnly, async () => {
  await using _first = await startService({ dataDir });
  const before = readSandboxFile(dataDir);
  await assert.rejects(startService({ dataDir }), (error: Error) => {
    const [, url] =
      /Titian runs from \S+ already, at (\S+): stop it with Ctrl-C.+ TITIAN_DATA_DIR=\S+ PORT=0 /.exec(error.message) ??
      [];
    return url === before.baseUrl;
  });
  assert.deepEqual(readSandboxFile(dataDir), before);
});

async function assertFaultsHappen(): Promise<void> {
  const file = readSandboxFile(dataDir);
  const control = createControl(file, agent);
  const none = { partnerId: "alpha", faults: [] };
  await control.call("POST", "partners/alpha/faults", { fault: "error503", next: 1 });
  assert.equal((await createCaller(file, "alpha", agent).call(statusPath, look)).status, 503);
  assert.deepEqual(await control.call("GET", "partners/alpha/faults"), none);
  await control.call("POST", "partners/alpha/faults", { fault: "error503", next: 1 });
  assert.deepEqual(await control.call("DELETE", "partners/alpha/faults"), none);
  assert.equal((await createCaller(file, "alpha", agent).call(statusPath, look)).status, 200);
}

function inspect(family: readonly { readonly pid: number; readonly command: string }[]): string {
  return family.map(({ pid, command }) => `${pid} ${command}`).join("\n");
}
