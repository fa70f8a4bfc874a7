/** Attacks a running service while a partner makes signed calls at a steady rate, and measures what the partner gets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { type Caller, createCaller } from "../support/black-box/caller.ts";
import type { Sandbox } from "../support/black-box/start-sandbox.ts";
import { inquiryPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { type Pattern, targetOf } from "./patterns.ts";
import { residentMiB } from "./rejected-bodies.ts";

export interface Measured {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls that were answered otherwise than they should be, or not at all. */
  readonly rejected: readonly string[];
  /** Most memory of the service while it was measured (MiB). */
  readonly memoryMiB: number;
}

interface AttackOptions {
  readonly sandbox: Sandbox;
  readonly forMs: number;
  /** Where the attackers come from; partners come from 127.0.0.1. */
  readonly address: string;
}

const callEveryMs = 25;
/** The attack is under way when the partner begins. */
const attackedAheadMs = 500;
/** Every so manieth call comes over a connection of its own. */
const freshEvery = 8;

/** Measures the partner's calls while nobody attacks, or while somebody does. */
export async function measure(options: AttackOptions, pattern?: Pattern): Promise<Measured> {
  const { sandbox, forMs, address } = options;
  const target = targetOf(sandbox.file);
  const fresh = new Agent({ pipelining: 0 });
  const callers = [
    createCaller(sandbox.file, "alpha", sandbox.agent),
    createCaller(sandbox.file, "alpha", fresh),
  ] as const;
  // Before the attack: what it holds up is to be measured.
  await Promise.all(callers.map((caller) => caller.token()));
  const order = JSON.stringify({ name: pattern?.name, target, address, forMs: forMs + attackedAheadMs });
  const attacker =
    pattern &&
    spawn(process.execPath, ["--conditions=source", `${import.meta.dirname}/attacker.ts`, order], { stdio: "inherit" });
  const gone = attacker && once(attacker, "exit");
  if (attacker) await sleep(attackedAheadMs);
  try {
    return await callSteadily(sandbox, callers, forMs);
  } finally {
    attacker?.kill("SIGKILL");
    await gone;
    await fresh.destroy();
  }
}

async function callSteadily(
  { service }: Sandbox,
  [caller, stranger]: readonly [Caller, Caller],
  forMs: number,
): Promise<Measured> {
  const times: number[] = [];
  const rejected: string[] = [];
  let memoryMiB = 0;
  const pending: Promise<void>[] = [];
  const endsAt = performance.now() + forMs;
  for (let i = 0; performance.now() < endsAt; i += 1) {
    pending.push(callOnce(i % freshEvery === 0 ? stranger : caller, i, times, rejected));
    memoryMiB = Math.max(memoryMiB, residentMiB(service.pid, "VmRSS"));
    await sleep(callEveryMs);
  }
  await Promise.all(pending);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { calls: pending.length, p50Ms: at(0.5), p99Ms: at(0.99), rejected, memoryMiB };
}

/** A read and a write in turn. */
async function callOnce(caller: Caller, turn: number, times: number[], rejected: string[]): Promise<void> {
  const [from = "", to = ""] = caller.partner.sourceAccounts;
  const begunAt = performance.now();
  try {
    const { code, message } =
      turn % 2 === 0
        ? await caller.call(inquiryPath, { beneficiaryAccountNo: to })
        : await caller.call(transferPath, transferBody({ from, to, value: "1.00" }));
    if (!code.startsWith("200")) rejected.push(`${code} ${message}`);
  } catch (error) {
    rejected.push(String(error));
  }
  times.push(performance.now() - begunAt);
}
