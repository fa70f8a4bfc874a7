/**
 * Releases what holds past their time still hold (decision D10). Every node runs it and finds by itself what is due; two
 * that find the same hold release it once, because the command looks again under the row's lock. Whoever captures or
 * voids such a hold first is refused by its time, swept or not.
 */
import type { Clock } from "../clock.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { decideExpiry } from "../ledger/expire-hold.ts";
import { newId } from "../ids.ts";
import type { StatementPool } from "../store/connect.ts";
import type { Duty } from "./duty.ts";
import { countDueHolds, type DueHold, listDueHolds } from "../store/reads/due-holds.ts";

export interface ExpireHoldsDeps {
  readonly engine: Engine;
  readonly reads: StatementPool;
  readonly clock: Clock;
}

const pageSize = 256;
const patienceMs = 10_000;

export function createExpireHolds(deps: ExpireHoldsDeps): Duty {
  const { reads, clock } = deps;
  return {
    name: "expire-holds",
    actsOnTime: true,
    run: (until) => expireHolds(deps, until),
    pending: () => countDueHolds(reads, clock.now()),
  };
}

/** Page by page; a hold that cannot be expired is passed over until the next run. */
async function expireHolds({ engine, reads, clock }: ExpireHoldsDeps, until: number): Promise<void> {
  let after: DueHold | undefined;
  do {
    const due = await listDueHolds(reads, { now: clock.now(), after, limit: pageSize });
    await Promise.all(due.map(({ id }) => engine.submit(expiryOf(id, clock.real() + patienceMs))));
    after = due.length === pageSize ? due.at(-1) : undefined;
  } while (after && clock.real() < until);
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
