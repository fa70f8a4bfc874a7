/** Callers as the service's own should be: without a decision they ask again with the same external id, newly signed. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { findFaults } from "../engine/find-faults.ts";
import type { Answer, ForkedNode } from "../engine/fork-node.ts";
import type { Transfer } from "../engine/transfers.ts";
import { type Load, startLoad } from "../support/load.ts";

export interface Attempt {
  /** Id of the command, by which PostgreSQL knows it if it was accepted. */
  readonly id: string;
  readonly transfer: Transfer;
  readonly answer: Answer;
}

export interface Callers extends Load {
  readonly attempts: readonly Attempt[];
}

export interface CallersOptions {
  readonly count: number;
  /** Accounts `1` to this. */
  readonly accounts: number;
  /** A node that lives, or undefined while none does. */
  pick(): ForkedNode | undefined;
  /** Numbers in [0, 1). */
  random(): number;
}

const triesMost = 200;
let intents = 0;

export function startCallers(options: CallersOptions): Callers {
  const attempts: Attempt[] = [];
  const load = startLoad(options.count, (isAbandoned) =>
    carryOut(nextTransfer(options), options, attempts, isAbandoned),
  );
  return { attempts, ...load };
}

/** Waits for so many answers more, and a random moment longer. */
export async function untilMoreAnswers(callers: Callers, more: number, random: () => number): Promise<void> {
  const enough = callers.attempts.length + more;
  for (let leftMs = 60_000; callers.attempts.length < enough; leftMs -= 10) {
    if (leftMs <= 0) throw new Error(`the load stands still after ${callers.attempts.length} answers`);
    await sleep(10);
  }
  await sleep(random() * 20);
}

function nextTransfer({ random, accounts }: CallersOptions): Transfer {
  intents += 1;
  const from = 1 + Math.floor(random() * accounts);
  // Every fourth is between the first two: a hot pair.
  const to = 1 + ((from + Math.floor(random() * (accounts - 1))) % accounts);
  const [source, beneficiary] = intents % 4 === 0 ? [1, 2] : [from, to];
  // Some ask for more than there is.
  const amount = random() < 0.05 ? 1_000_000_000n : BigInt(1 + Math.floor(random() * 50));
  // And some wait for less than a broken wire takes: they are answered that it is unknown, and ask again.
  const commandTimeoutMs = random() < 0.2 ? 100 : 10_000;
  return { from: String(source), to: String(beneficiary), amount, externalId: `intent-${intents}`, commandTimeoutMs };
}

async function carryOut(
  transfer: Transfer,
  { pick, random }: CallersOptions,
  attempts: Attempt[],
  isAbandoned: () => boolean,
): Promise<void> {
  for (let tries = 0; tries < triesMost && !isAbandoned(); tries += 1) {
    const id = newId();
    const answer: Answer = (await pick()?.submit({ ...transfer, id, signature: id })) ?? { kind: "unanswered" };
    attempts.push({ id, transfer, answer });
    if (isDecided(answer)) return;
    await sleep(10 + random() * 90);
  }
  if (!isAbandoned()) assert.fail(`no decision on ${transfer.externalId} after ${triesMost} attempts`);
}

function isDecided({ kind }: Answer): boolean {
  return kind === "effect" || kind === "repeat" || kind === "rejection";
}

/** Finds answers that the database contradicts; empty when all is well. */
export async function findLies(client: Client, attempts: readonly Attempt[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string; external_id: string }>(
    "select id, external_id from accepted_requests",
  );
  const written = new Map(rows.map((row) => [row.id, row.external_id]));
  const byIntent = new Map<string, number>();
  for (const externalId of written.values()) byIntent.set(externalId, (byIntent.get(externalId) ?? 0) + 1);
  const doubled = [...byIntent].flatMap(([externalId, times]) =>
    times > 1 ? [`${externalId} took effect ${times} times`] : [],
  );
  const asked = new Set(attempts.map((attempt) => attempt.transfer.externalId));
  const unasked = [...byIntent.keys()].filter((externalId) => !asked.has(externalId));
  return [
    ...(await findFaults(client)),
    ...doubled,
    ...unasked.map((externalId) => `nobody asked for ${externalId}`),
    ...attempts.flatMap((attempt) => findLie(attempt, written)),
  ];
}

function findLie({ id, transfer, answer }: Attempt, written: ReadonlyMap<string, string>): readonly string[] {
  const isWritten = written.has(id);
  const name = `${answer.kind} for ${transfer.externalId} (${id})`;
  switch (answer.kind) {
    case "effect":
      return isWritten && answer.id === id ? [] : [`${name}: answered, and lost`];
    case "repeat":
      if (isWritten) return [`${name}: a repeat took effect`];
      return written.get(answer.original.id) === transfer.externalId ? [] : [`${name}: its first call does not exist`];
    case "unknown":
    case "unanswered":
      return [];
    default:
      return isWritten ? [`${name}: nothing should have been taken`] : [];
  }
}

/** Counts the times that each response was given. */
export function countAnswers(attempts: readonly Attempt[]): string {
  const counts = new Map<string, number>();
  for (const { answer } of attempts) counts.set(answer.kind, (counts.get(answer.kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}
