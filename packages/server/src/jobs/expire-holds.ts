/**
 * Releases what holds past their time still hold (spec D10). Every node runs it and draws pages of what is due;
 * two that draw the same hold release it once, because the command looks again under the row's lock. Whoever captures or
 * voids such a hold first is rejected by its time, swept or not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { decideExpiry } from "../ledger/holds/expire.ts";
import { newId } from "../ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { type DueJob, dueEveryMs } from "./job.ts";
import { countDueHolds, sampleDueHolds } from "../store/reads/due-holds.ts";

export interface ExpireHoldsDeps {
  readonly engine: Engine;
  readonly reads: StatementPool;
  readonly clock: Clock;
}

/** Holds submitted at once: two batches, half of the room that jobs have. */
const pageSize = 512;
/** They are drawn from so many that ended first: of 100,000 that end together, two nodes draw one in sixteen twice. */
const sampledSize = 8_192;
/** What is due is counted again and again while a move of the sandbox's clock waits for it. */
const countedMost = 10_000;
/** How long a hold waits for an account that somebody has locked before it is passed over. */
const commandTimeoutMs = 2_000;
/** How long those that wait are waited for before the free places are given to others. */
const pauseMs = 100;
const passedOverMs = 60_000;

export function createExpireHolds(deps: ExpireHoldsDeps): DueJob {
  const { reads, clock } = deps;
  const passedOver = createPassedOver(clock);
  return {
    name: "expire-holds",
    everyMs: dueEveryMs,
    actsOnTime: true,
    run: (until, mayGoOn) => expireHolds(deps, passedOver, { until, mayGoOn }),
    pending: () => countDueHolds(reads, clock.now(), countedMost),
  };
}

interface Run {
  readonly until: number;
  readonly mayGoOn: (() => Promise<boolean>) | undefined;
}

/** Until nothing else is due; holds that wait for a locked account keep only their own places. Answers how many it expired. */
async function expireHolds(
  { engine, reads, clock }: ExpireHoldsDeps,
  passedOver: PassedOver,
  run: Run,
): Promise<number> {
  const underWay = new Map<string, Promise<void>>();
  let isNothingElseDue = false;
  let expired = 0;
  const expire = async (id: string, now: number) => {
    const { kind } = await engine.submit(expiryOf(id, now, clock.real() + commandTimeoutMs));
    if (kind === "effect") expired += 1;
    else if (kind !== "nothing") passedOver.add(id);
    underWay.delete(id);
  };
  const mayBegin = async () => clock.real() < run.until && (!run.mayGoOn || (await run.mayGoOn()));
  /** Whether more may be due. */
  const claim = async (): Promise<boolean> => {
    const limit = pageSize - underWay.size;
    if (limit < pageSize / 2) return true;
    // Read before the clock is checked: a jump behind the check makes nothing due.
    const now = clock.now();
    if (!(await mayBegin())) return false;
    const besides = [...passedOver.ids(), ...underWay.keys()];
    const due = await sampleDueHolds(reads, { now, limit, among: sampledSize, besides });
    for (const id of due) underWay.set(id, expire(id, now));
    isNothingElseDue = due.length === 0;
    return due.length > 0;
  };
  for (let more = true; more || underWay.size > 0; ) {
    more = await claim();
    await Promise.race([Promise.all(underWay.values()), sleep(pauseMs)]);
  }
  if (isNothingElseDue) passedOver.clear();
  return expired;
}

interface PassedOver {
  add(id: string): void;
  ids(): Iterable<string>;
  clear(): void;
}

/** What could not be expired stands behind everything else that is due: until nothing else is, a minute at most. */
function createPassedOver(clock: Clock): PassedOver {
  const since = new Map<string, number>();
  return {
    add: (id) => since.set(id, clock.monotonic()),
    ids: () => {
      const before = clock.monotonic() - passedOverMs;
      for (const [id, at] of since) if (at < before) since.delete(id);
      return since.keys();
    },
    clear: () => since.clear(),
  };
}

/** No keys: its state guard is enough. `due`: the business time it was found due at, which was checked. */
function expiryOf(id: string, due: number, deadline: number): Command<null> {
  return {
    id: newId(),
    deadline,
    locks: { hold: { id } },
    decide: (found, { now }) => {
      const decision = decideExpiry(found.hold()?.hold, Math.min(due, now));
      if (decision.kind !== "effect") return decision;
      return { kind: "effect", effect: { ...decision.effect, facts: null } };
    },
  };
}
