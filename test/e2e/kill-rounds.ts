/**
 * Nodes and PostgreSQL killed outright under load, as partners see it over HTTP: what was answered is there once, what
 * was not answered is there once or not at all, and asking again tells which.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, waitUntil } from "@titian/embedded-postgres";
import { createCaller, type Caller } from "../support/black-box/caller.ts";
import { type Control, createControl, toMinor } from "../support/black-box/control.ts";
import { createDataDir, databaseHome, removeDataDir } from "../support/black-box/data-dir.ts";
import { endProcesses, findProcesses } from "../support/black-box/processes.ts";
import { readSandboxFile } from "../support/black-box/sandbox-file.ts";
import { startService } from "../support/black-box/service.ts";
import { createAgent } from "../support/black-box/start-sandbox.ts";
import { statusPath } from "../support/black-box/transfers.ts";
import { type Intent, type Payers, startPayers } from "./payments/payers.ts";

export interface KillOptions {
  readonly rounds: number;
  /** Numbers in [0, 1). */
  random(): number;
  onProgress?(text: string): void;
  /** Told of the callers once they pay. */
  onPayers?(payers: Payers): void;
  /** Told in each round. */
  onKilled?(what: "node" | "PostgreSQL" | "both"): void;
}

export interface KillResult {
  /** Faults: lost, doubled, answered wrongly or left running; empty when all is well. */
  readonly faults: readonly string[];
  readonly summary: string;
}

const payerCount = 32;
const accountCount = 8;
const answersPerRound = 250;
const openingBalance = "1000000.00";
const dieWithinMs = 10_000;

export async function killOverHttp({
  rounds,
  random,
  onProgress,
  onPayers,
  onKilled,
}: KillOptions): Promise<KillResult> {
  await using stack = new AsyncDisposableStack();
  const dataDir = createDataDir();
  stack.defer(async () => {
    await endProcesses(dataDir, dieWithinMs);
    removeDataDir(dataDir);
  });
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  let service = await startService({ dataDir });
  stack.defer(() => service[Symbol.asyncDispose]());
  // It comes back where it was, so that callers find it again.
  const env = { PORT: new URL(service.baseUrl).port };
  const file = readSandboxFile(dataDir);
  const control = createControl(file, agent);
  const caller = createCaller(file, "alpha", agent);
  const accounts = await Promise.all(
    Array.from({ length: accountCount }, async (_, index) => {
      const opened = await control.open({ name: `Payer ${index}`, balance: openingBalance, partnerId: "alpha" });
      return opened.accountNo;
    }),
  );

  let up = Promise.resolve();
  const payers = startPayers({ caller, accounts, count: payerCount, up: () => up, random });
  stack.defer(() => payers.abandon());
  onPayers?.(payers);
  const faults: string[] = [];
  const starts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const what = (["node", "PostgreSQL", "both"] as const)[round % 3] ?? "node";
    // Before the load goes on: looking takes so long that nothing would be under way afterwards.
    const before = findProcesses(dataDir);
    await untilMoreAnswers(payers, answersPerRound + Math.floor(random() * 50));
    const { promise, resolve } = Promise.withResolvers<void>();
    onKilled?.(what);
    if (what !== "node") process.kill(postmasterOf(dataDir), "SIGKILL");
    if (what !== "PostgreSQL") {
      up = promise;
      await service.end("SIGKILL");
      // Every other time at once, with the old server perhaps still dying.
      if (round % 2 === 0) await untilGone(before.map(({ pid }) => pid));
      service = await startService({ dataDir, env });
      starts.push(service.startedWithinMs);
      const stray = await untilGone(before.map(({ pid }) => pid));
      if (stray.length > 0) faults.push(`round ${round}: ${stray.join()} survived the kill`);
      await compareOpenCalls(caller, payers, faults);
    }
    resolve();
    onProgress?.(`round ${round} of ${rounds}: killed ${what}, ${payers.answered()} transfers decided`);
  }
  await payers.stop();
  faults.push(...payers.faults, ...(await findLies(caller, control, payers, accounts)));
  return { faults, summary: summarize(payers, starts, rounds) };
}

async function untilMoreAnswers(payers: Payers, more: number): Promise<void> {
  const enough = payers.answered() + more;
  const isEnough = () => payers.answered() >= enough || payers.faults.length > 0 || undefined;
  if (!(await waitUntil(isEnough, { timeoutMs: 60_000, everyMs: 1 }))) throw new Error("The payers came to a halt.");
}

/** PostgreSQL writes the number of its first process into the cluster. */
function postmasterOf(dataDir: string): number {
  const note = readFileSync(join(databaseHome(dataDir) ?? "", "data", "postmaster.pid"), "utf8");
  return Number(note.split("\n", 1)[0]);
}

async function untilGone(pids: readonly number[]): Promise<readonly number[]> {
  const areGone = () => !pids.some(isAlive) || undefined;
  return (await waitUntil(areGone, { timeoutMs: dieWithinMs, everyMs: 5 })) ? [] : pids.filter(isAlive);
}

/** After a crash nothing is under way: what 36 says of an open call now is what its repeat must learn. */
async function compareOpenCalls(caller: Caller, payers: Payers, faults: string[]): Promise<void> {
  const open = payers.intents.filter(
    ({ referenceNo, unanswered, isUnderWay }) => referenceNo === undefined && unanswered > 0 && !isUnderWay,
  );
  await Promise.all(
    open.map(async (intent) => {
      const found = await lookUp(caller, intent);
      if (found.code === "2003600" && found.status === "00") intent.referenceNo = found.referenceNo;
      else if (found.code === "4043601" && found.status === "07") intent.isAbsent = true;
      else faults.push(`${intent.partnerReferenceNo}: 36 says ${found.code} ${found.status}`);
    }),
  );
}

async function lookUp(caller: Caller, { partnerReferenceNo }: Intent) {
  const { code, body } = await caller.call(statusPath, {
    serviceCode: "17",
    originalPartnerReferenceNo: partnerReferenceNo,
  });
  return { code, status: String(body["latestTransactionStatus"]), referenceNo: String(body["originalReferenceNo"]) };
}

/** Holds all answers against status inquiries, balances and the audit. */
async function findLies(
  caller: Caller,
  control: Control,
  payers: Payers,
  accounts: readonly string[],
): Promise<string[]> {
  const lies: string[] = [];
  const expected = new Map(accounts.map((accountNo) => [accountNo, toMinor(openingBalance)]));
  const add = (accountNo: string, minor: bigint) => expected.set(accountNo, (expected.get(accountNo) ?? 0n) + minor);
  for (let at = 0; at < payers.intents.length; at += payerCount) {
    const page = payers.intents.slice(at, at + payerCount);
    const found = await Promise.all(page.map((intent) => lookUp(caller, intent)));
    for (const [index, intent] of page.entries()) {
      add(intent.from, -intent.value * 100n);
      add(intent.to, intent.value * 100n);
      const { status, referenceNo } = found[index] ?? {};
      if (status !== "00" || referenceNo !== intent.referenceNo) {
        lies.push(
          `${intent.partnerReferenceNo} was answered as ${intent.referenceNo}, and 36 says ${status} ${referenceNo}`,
        );
      }
    }
  }
  for (const [accountNo, minor] of expected) {
    const [balance] = await control.balances(accountNo);
    if (balance !== minor) lies.push(`account ${accountNo} holds ${balance}, the answers make ${minor}`);
  }
  const audit = await control.audit();
  if (!audit.ok) lies.push(`the audit found ${JSON.stringify(audit.findings)}`);
  return lies;
}

function summarize(payers: Payers, starts: readonly number[], rounds: number): string {
  const codes = [...payers.codes].map(([code, times]) => `${times} × ${code}`).join(", ");
  const slowest = Math.round(Math.max(...starts));
  const median = Math.round(starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0);
  const learned = payers.intents.filter(({ unanswered }) => unanswered > 0).length;
  return (
    `${rounds} kills; ${payers.intents.length} transfers, ${learned} of them asked for again; answers: ${codes}; ` +
    `starts after a kill: median ${median} ms, slowest ${slowest} ms`
  );
}
