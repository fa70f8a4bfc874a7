/** Simulated rails of one or two nodes for the tests of their modes and scenarios. */
import { after } from "node:test";
import { createClock, type MovableClock } from "../../../packages/server/src/basics/clock.ts";
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import type { Outcome } from "../../../packages/sandbox/src/rails/scenarios.ts";
import { useDatabase } from "../../support/database/database.ts";
import { type OpenSimulated, openSimulated } from "../contract/open-rail.ts";
import { instructionTo } from "../contract/other-side.ts";
import { accountOf } from "./simulated-side.ts";

/** A Monday. Business time stands still here but for `advance`. */
const start = Date.parse("2026-11-23T10:00:00+07:00");

function standingClock(): MovableClock {
  const clock = createClock();
  return { ...clock, now: () => start + clock.offset() };
}

/** So many nodes on a database of the file's own; all of it ends with the file. */
export async function startNodes(count: number): Promise<readonly OpenSimulated[]> {
  const database = await useDatabase();
  const nodes = Array.from({ length: count }, () => openSimulated(database.url, standingClock()));
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await database.drop();
  });
  return nodes;
}

export const toOutcome = (outcome: Outcome) => instructionTo(accountOf(outcome));

/** Moves the business time of every node by so many seconds. */
export function advance(nodes: readonly OpenSimulated[], seconds: number): void {
  for (const { clock } of nodes) clock.setOffset(clock.offset() + seconds * 1_000);
}

/** True when the call is still unanswered after so long (real time). */
export async function isSilent(call: (signal: AbortSignal) => Promise<unknown>, ms = 200): Promise<boolean> {
  const signal = AbortSignal.timeout(ms);
  return call(signal).then(
    () => false,
    (error: unknown) => error === signal.reason,
  );
}

/** Kinds of the results that are ready, which are acknowledged. */
export async function takeAll(rail: Rail): Promise<readonly string[]> {
  const results = await rail.results(1_000);
  await rail.acknowledge(results);
  return results.map(({ referenceNo, state }) => `${referenceNo} ${state.kind}`);
}
