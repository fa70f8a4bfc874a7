/** Sends malformed requests to a running service, many at once, and holds everything that comes back against the documents. */
import { readFileSync } from "node:fs";
import type { Caller, Json } from "../support/black-box/caller.ts";
import { toMinor } from "../support/black-box/control.ts";
import type { Sandbox } from "../support/black-box/start-sandbox.ts";
import { findFault } from "./check-answer.ts";
import type { Credentials } from "./draft.ts";
import { type FuzzRequest, makeRequest } from "./make-request.ts";
import { createRandom } from "./random.ts";
import { createWire, type Exchange } from "./wire.ts";

export interface FuzzOptions {
  readonly sandbox: Sandbox;
  /** Number of requests that must have been turned away, or gone unanswered for a reason of their own. */
  readonly requests: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

export interface FuzzReport {
  /** Faults; empty when all is well. */
  readonly faults: readonly string[];
  readonly sent: number;
  readonly malformed: number;
  readonly seconds: number;
  /** Count of answers by code; `none` stands for a connection that was closed. */
  readonly codes: ReadonlyMap<string, number>;
  readonly memoryMiB: { readonly before: number; readonly after: number };
}

const workers = 64;
const faultsMost = 20;
/** The one that signs with RSA is rare: a signature of its costs more than all the rest of a request. */
const partnerIds = [...Array<string>(7).fill("alpha"), ...Array<string>(6).fill("beta"), "gamma"];
/** Tokens live for 900 s. */
const tokenUsedMs = 600_000;
const progressEvery = 10_000;

export async function runFuzz({ sandbox, requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const { control, file, service } = sandbox;
  const accounts = file.accounts.map(({ accountNo }) => accountNo);
  const before = await control.balances(...accounts);
  const memoryBefore = residentMiB(service.pid);
  const faults: string[] = [];
  const codes = new Map<string, number>();
  const moved = new Map<string, bigint>();
  let sent = 0;
  let malformed = 0;
  const startedAt = performance.now();
  const credentials = await useCredentials(sandbox);

  const note = (request: FuzzRequest, exchange: Exchange, place: string) => {
    sent += 1;
    const { answers } = exchange;
    if (!answers.some(({ status }) => status < 300)) malformed += 1;
    if (answers.length === 0) count(codes, "none");
    for (const { status, body } of answers) {
      count(codes, codeOf(body) ?? `${status}`);
      addMove(moved, codeOf(body) ?? "", body, file.fees);
    }
    const fault = judge(request, exchange);
    if (fault !== undefined && faults.length < faultsMost)
      faults.push(`${place} ${request.kind}: ${fault}\n${excerpt(request.bytes)}`);
    if (sent % progressEvery === 0) {
      const perSecond = Math.round((sent * 1_000) / (performance.now() - startedAt));
      onProgress?.(
        `${sent} sent, ${malformed} of ${requests} malformed, ${perSecond} a second, ${faults.length} faults`,
      );
    }
  };
  const work = async (worker: number) => {
    const random = createRandom(seed * 1_000 + worker);
    const wire = createWire(Number(new URL(service.baseUrl).port));
    for (let round = 0; malformed < requests && faults.length < faultsMost; round += 1) {
      const request = makeRequest(random, file, await credentials(worker + round));
      if (request.isAlone) wire.close();
      const exchange = await wire.exchange(request.bytes, request);
      if (request.isAlone) wire.close();
      note(request, exchange, `worker ${worker}, round ${round},`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const seconds = (performance.now() - startedAt) / 1_000;

  const after = await control.balances(...accounts);
  for (const [index, accountNo] of accounts.entries()) {
    const expected = (before[index] ?? 0n) + (moved.get(accountNo) ?? 0n);
    if (after[index] !== expected)
      faults.push(`account ${accountNo} holds ${after[index]}, the answers make ${expected}`);
  }
  const audit = await control.audit();
  if (!audit.ok) faults.push(`the audit found ${JSON.stringify(audit.findings)}`);
  return {
    faults,
    sent,
    malformed,
    seconds,
    codes,
    memoryMiB: { before: memoryBefore, after: residentMiB(service.pid) },
  };
}

async function useCredentials({ caller }: Sandbox): Promise<(turn: number) => Promise<Credentials>> {
  const byId = new Map(partnerIds.map((partnerId) => [partnerId, caller(partnerId)]));
  const callers = partnerIds.map((partnerId) => byId.get(partnerId) as Caller);
  let fetchedAt = performance.now();
  return async (turn) => {
    const one = callers[turn % callers.length] as Caller;
    const fresh = performance.now() - fetchedAt > tokenUsedMs;
    if (fresh) fetchedAt = performance.now();
    if (fresh) await Promise.all([...byId.values()].map((each) => each.token({ fresh })));
    return { partner: one.partner, token: await one.token() };
  };
}

/** Finds the fault of what came back; undefined when there is none. */
function judge({ kind, serviceCode, isHead, leaves, isAlone }: FuzzRequest, exchange: Exchange): string | undefined {
  const { answers, rest, isOverdue } = exchange;
  if (isOverdue) return "no answer, and the connection stays open";
  for (const answer of answers) {
    const fault = findFault(answer, serviceCode, isHead);
    if (fault !== undefined) return `${fault}: ${answer.body.slice(0, 300)}`;
  }
  if (rest !== "" && !leaves) return `bytes behind the answer: ${rest.slice(0, 100)}`;
  // A stream that breaks off behind a request may cut its response off; a request that is whole gets one.
  if (answers.length === 0 && !(isAlone && kind === "stream")) return "the connection was closed without an answer";
  return undefined;
}

function count(codes: Map<string, number>, code: string): void {
  codes.set(code, (codes.get(code) ?? 0) + 1);
}

function codeOf(body: string): string | undefined {
  return /^\{"responseCode":"(\d{7})"/.exec(body)?.[1];
}

/** Transfers that leave the bank, with the rail whose fee the sender pays on top of each. */
const feeOf: Readonly<Record<string, string>> = {
  "2001800": "interbank",
  "2021800": "interbank",
  "2002200": "rtgs",
  "2002300": "skn",
};

/** Adds the amount that an accepted transfer says it has moved. */
function addMove(moved: Map<string, bigint>, code: string, body: string, fees: Readonly<Record<string, string>>): void {
  const rail = feeOf[code];
  if (code !== "2001700" && rail === undefined) return;
  const { sourceAccountNo, beneficiaryAccountNo, amount } = JSON.parse(body) as Json;
  const minor = toMinor(String((amount as Json)["value"]));
  const fee = rail === undefined ? 0n : toMinor(fees[rail] ?? "0.00");
  const change = (accountNo: unknown, by: bigint) =>
    moved.set(String(accountNo), (moved.get(String(accountNo)) ?? 0n) + by);
  change(sourceAccountNo, -minor - fee);
  if (rail === undefined) change(beneficiaryAccountNo, minor);
}

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 2_000).toString("latin1"));
}

/** Memory of a process; 0 where the system does not tell. */
function residentMiB(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
