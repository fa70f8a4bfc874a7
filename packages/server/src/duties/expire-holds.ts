/**
 * Releases what holds past their time still hold (decision D10). Every node runs it and draws pages of what is due;
 * two that draw the same hold release it once, because the command looks again under the row's lock. Whoever captures or
 * voids such a hold first is refused by its time, swept or not.
 */
import type { Clock } from "../clock.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { decideExpiry } from "../ledger/expire-hold.ts";
import { newId } from "../ids.ts";
import type { StatementPool } from "../store/connect.ts";
import type { Duty } from "./duty.ts";
import { countDueHolds, sampleDueHolds } from "../store/reads/due-holds.ts";

export interface ExpireHoldsDeps {
  readonly engine: Engine;
  readonly reads: StatementPool;
  readonly clock: Clock;
}

/** Holds submitted at once: two flights, half of the room that duties have. */
const pageSize = 512;
/** They are drawn from so many that ended first: of 100,000 that end together, two nodes draw one in sixteen twice. */
const sampledSize = 8_192;
/** What is due is counted again and again while a move of the sandbox's clock waits for it. */
const countedMost = 10_000;
const patienceMs = 10_000;

export function createExpireHolds(deps: ExpireHoldsDeps): Duty {
  const { reads, clock } = deps;
  return {
    name: "expire-holds",
    actsOnTime: true,
    run: (until) => expireHolds(deps, until),
    pending: () => countDueHolds(reads, clock.now(), countedMost),
  };
}

/** Page by page until nothing is due; a hold that cannot be expired is passed over until the next run. */
async function expireHolds({ engine, reads, clock }: ExpireHoldsDeps, until: number): Promise<void> {
  const passedOver: string[] = [];
  const expire = async (id: string) => {
    const { kind } = await engine.submit(expiryOf(id, clock.real() + patienceMs));
    if (kind !== "effect" && kind !== "nothing") passedOver.push(id);
  };
  let due: readonly string[];
  do {
    due = await sampleDueHolds(reads, { now: clock.now(), limit: pageSize, among: sampledSize, besides: passedOver });
    await Promise.all(due.map(expire));
  } while (due.length > 0 && clock.real() < until);
}

/** No keys: its state guard is enough. */
function expiryOf(id: string, deadline: number): Command<null> {
  return {
    id: newId(),
    deadline,
    locks: { hold: { id } },
    decide: (found, { now }) => {
      const decision = decideExpiry(found.hold()?.hold, now);
      if (decision.kind !== "effect") return decision;
      return { kind: "effect", effect: { ...decision.effect, facts: null } };
    },
  };
}
