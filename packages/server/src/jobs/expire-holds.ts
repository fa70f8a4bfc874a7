/**
 * Expires holds (spec D10). Every node runs it on random samples of due holds; a hold in two samples expires once, because
 * the command checks its state under the row's lock. A capture or void of an expired hold is rejected with or without it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../basics/clock.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { decideExpiry } from "../ledger/holds/expire.ts";
import { newId } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { type DueJob, dueEveryMs, type MayGoOn } from "./job.ts";
import { countDueHolds, sampleDueHolds } from "../store/reads/due-holds.ts";

export interface ExpireHoldsDeps {
  readonly engine: Engine;
  readonly reads: StatementPool;
  readonly clock: Clock;
}

/** Concurrent commands: two batches, half of the queue of jobs. */
const pageSize = 512;
/** A page is sampled from this many: two nodes then share one hold in sixteen. */
const sampledSize = 8_192;
/** Limit of a count, which a move of the sandbox's clock repeats. */
const countedMost = 10_000;
/** Time that a hold waits for a locked account before it is passed over. */
const commandTimeoutMs = 2_000;
/** Pause before the next page. */
const pauseMs = 100;
const passedOverMs = 60_000;

export function createExpireHolds(deps: ExpireHoldsDeps): DueJob {
  const { reads, clock } = deps;
  const passedOver = createPassedOver(clock);
  return {
    name: "expire-holds",
    everyMs: dueEveryMs,
    actsOnTime: true,
    run: (mayGoOn) => expireHolds(deps, passedOver, mayGoOn),
    pending: () => countDueHolds(reads, clock.now(), countedMost),
  };
}

/** Expires holds until none is due; returns how many. */
async function expireHolds(
  { engine, reads, clock }: ExpireHoldsDeps,
  passedOver: PassedOver,
  mayGoOn: MayGoOn,
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
  /** Claims; true when more may be due. */
  const claim = async (): Promise<boolean> => {
    const limit = pageSize - underWay.size;
    if (limit < pageSize / 2) return true;
    // Read before the clock is checked: a later jump of the clock makes nothing due.
    const now = clock.now();
    if (!(await mayGoOn())) return false;
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

/** Holds that could not be expired wait until no other is due, a minute at most. */
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

/** No keys: the state guard is enough. `due`: business time at which it was found due. */
function expiryOf(id: string, due: number, deadline: number): Command<null> {
  return {
    id: newId(),
    deadline,
    locks: { hold: { id } },
    decide: (found, { now }) => {
      const decision = decideExpiry(found.hold()?.hold, Math.min(due, now));
      if (decision.kind !== "effect") return decision;
      return { kind: "effect", effect: { ...decision.effect, payload: null } };
    },
  };
}
