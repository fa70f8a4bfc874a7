/** A node of two workers, as operators run it: `titian serve` with TITIAN_WORKERS=2, its signals, and workers that die. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { verifySecurityLog } from "../../packages/server/src/observability/security/read-log-files.ts";
import { type Caller, createCaller } from "../support/black-box/caller.ts";
import { findProcesses } from "../support/black-box/processes.ts";
import { openingBalance } from "../support/black-box/production-partner.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { stopCallers, stopUnderLoad } from "../support/black-box/stop-under-load.ts";
import { transferBody, transferPath } from "../support/black-box/transfers.ts";
import { queryRows } from "../support/database/with-client.ts";
import { startLoad } from "../support/load.ts";
import { randomNumbers } from "../torture/random-numbers.ts";
import { startPayers } from "./payments/payers.ts";

const linuxOnly = { skip: process.platform !== "linux" };
const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);

const securityDir = mkdtempSync(join(tmpdir(), "titian-security-"));
const production = await startProduction({
  TITIAN_WORKERS: "2",
  TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
  TITIAN_SECURITY_LOG: join(securityDir, "security.jsonl"),
});
after(async () => {
  await production[Symbol.asyncDispose]();
  rmSync(securityDir, { recursive: true });
});
const { service, served, caller, agent, dataDir, databaseUrl } = production;
const { managementUrl = "" } = served;
const accounts = caller.partner.sourceAccounts;
const [from = "", to = ""] = accounts;

/** Pause of a caller between two calls, so that workers start beside the load. */
const pauseMs = 100;

const payOnce = async (by = caller) => (await by.call(transferPath, transferBody({ from, to, value: "1.00" }))).code;

/** No more connections than callers: a spare one, unused for half a second, is closed while it is picked (ADR 0025). */
function createCallers(connections: number, t: TestContext): Caller {
  const own = new Agent({ connections, pipelining: 1 });
  t.after(() => own.destroy());
  return createCaller(served, caller.partner.partnerId, own);
}

const workersNow = () =>
  findProcesses(dataDir)
    .map(({ pid }) => pid)
    .filter((pid) => pid !== service.pid);

interface WorkerState {
  readonly serving: boolean;
  readonly answers: boolean;
  readonly restarts: number;
}

async function readPage(path: string): Promise<string> {
  const response = await request(`${managementUrl}${path}`, { dispatcher: agent });
  return response.body.text();
}

/** Sums of all samples of the metric, by worker. */
async function readMetric(name: string): Promise<readonly number[]> {
  const text = await readPage("/metrics");
  return [1, 2].map((worker) => {
    const samples = text.matchAll(new RegExp(`^${name}\\{worker="${worker}"[^}]*\\} (\\d+)`, "gm"));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  });
}

const areBothCalled = async () => (await readMetric("titian_http_responses_total")).every((count) => count > 50);

const restartsOf = (workers: readonly WorkerState[]) => workers.reduce((sum, { restarts }) => sum + restarts, 0);

/** Pages are up to a second old, and a request may meet a worker that has just been killed. */
async function until(what: string, isReached: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 900; tries += 1) {
    if (await isReached().catch(() => false)) return;
    await sleep(100);
  }
  assert.fail(`${what}: never reached.\n${service.output()}`);
}

const untilReady = (what: string, isWanted: (workers: readonly WorkerState[]) => boolean) =>
  until(what, async () => {
    const { status, checks } = JSON.parse(await readPage("/health/ready"));
    return status === "ready" && isWanted(checks.workers);
  });

async function assertLedger(): Promise<void> {
  const { ok, findings } = await runAudit(databaseUrl);
  assert.ok(ok, JSON.stringify(findings));
  const list = accounts.map((accountNo) => `'${accountNo}'`).join();
  const rows = await queryRows(
    databaseUrl,
    `select sum(balance)::text as sum from accounts where account_no in (${list})`,
  );
  assert.deepEqual(rows, [{ sum: String(openingBalance * BigInt(accounts.length)) }]);
}

test("both workers take calls, and health and metrics speak for both", linuxOnly, async (t) => {
  assert.equal(workersNow().length, 2);
  const load = startLoad(64, async () => assert.equal(await payOnce(), "2001700"), { pauseMs });
  t.after(() => load.abandon());
  await until("responses of both workers", areBothCalled);
  await load.stop();
  assert.deepEqual(await readMetric("titian_worker_up"), [1, 1]);
  await untilReady("answers of both", (workers) => workers.every(({ answers }) => answers));
});

test(
  "a worker killed under load: the other serves on, it is started again, nothing is lost or doubled",
  linuxOnly,
  async (t) => {
    t.diagnostic(`seed ${seed}`);
    const random = randomNumbers(seed);
    const payers = startPayers({ caller, accounts, count: 32, pauseMs, up: async () => undefined, random });
    t.after(() => payers.abandon());
    // Each worker dies once.
    for (let round = 1; round <= 2; round += 1) {
      const enough = payers.answered() + 300;
      await until("more answers", async () => payers.answered() >= enough || payers.faults.length > 0);
      const before = workersNow();
      process.kill(before[round % 2] ?? 0, "SIGKILL");
      await untilReady("the restart", (all) => all.every(({ serving }) => serving) && restartsOf(all) === round);
      assert.equal(workersNow().filter((pid) => !before.includes(pid)).length, 1);
    }
    await payers.stop();
    assert.deepEqual(payers.faults, []);
    assert.match(
      service.output(),
      /"event":"worker.ended","reason":"SIGKILL","count":\d,"processId":\d+,"worker":[12]/,
    );
    await assertLedger();
  },
);

test(
  "SIGHUP under load, and again meanwhile: the workers are replaced twice, every call is answered",
  linuxOnly,
  async (t) => {
    const codes = new Map<string, number>();
    // Callers that pause and share connections leave some unused: each has its own.
    const idle = Array.from({ length: 24 }, () => createCallers(1, t));
    const pay = async () => {
      const own = idle.shift() ?? assert.fail("more calls than callers");
      const code = await payOnce(own).catch((error: unknown) => String(error));
      codes.set(code, (codes.get(code) ?? 0) + 1);
      idle.push(own);
    };
    const load = startLoad(idle.length, pay, { pauseMs });
    t.after(() => load.abandon());
    const before = workersNow();
    const said = (text: string, times: number) => async () => service.output().split(text).length > times;
    service.signal("SIGHUP");
    await until("the restart", said("Restarting the workers", 1));
    service.signal("SIGHUP");
    await until("the end of both restarts", said("The workers are restarted", 2));
    const lines = service.output().match(/Restarting the workers|The workers are restarted/g);
    assert.deepEqual(lines, Array(2).fill(["Restarting the workers", "The workers are restarted"]).flat());
    // The worker that was started last has no connection but those that the other one gives up.
    await until("responses of both workers", areBothCalled);
    await load.stop();
    t.diagnostic(JSON.stringify([...codes]));
    assert.deepEqual([...codes.keys()], ["2001700"]);
    assert.equal(workersNow().filter((pid) => !before.includes(pid)).length, 2);
    assert.equal(workersNow().length, 2);
  },
);

test("SIGTERM under load: every call is answered, no connection reset, no process left", linuxOnly, async (t) => {
  const keeping = createCallers(stopCallers, t);
  const stopped = await stopUnderLoad(service, { caller: keeping, agent, healthUrl: managementUrl });
  const { exit, faults, answered } = stopped;
  t.diagnostic(`${answered} calls`);
  assert.deepEqual(faults, []);
  assert.deepEqual(exit, { code: 0, signal: null }, service.output());
  assert.deepEqual(findProcesses(dataDir), []);
  await assertLedger();
});

test("each worker kept a security log of its own, which one that was stopped has ended", linuxOnly, async () => {
  const logs = await Promise.all(readdirSync(securityDir).map((name) => verifySecurityLog([join(securityDir, name)])));
  assert.deepEqual(new Set(logs.map(({ fault }) => fault)), new Set([undefined]));
  // The first two of them, those of two restarts, and those of the workers that were killed.
  assert.ok(logs.length > 6, String(logs.length));
  assert.ok(logs.filter(({ last }) => last?.event === "log.closed").length >= 5);
});
