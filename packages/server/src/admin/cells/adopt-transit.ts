/**
 * Payments to other cells that a restored database has lost (docs/adr/0094-mirrored-transit.md): what the others have mirrored beyond it is
 * listed, and written back by an act. Then its streams go on.
 */
import { currencyCodes } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { newId } from "../../basics/ids.ts";
import type { Command } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { openAct } from "../../jobs/open-act.ts";
import { commandTimeoutMs, submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import type { TransitMoney } from "../../ledger/transit/mirror.ts";
import { decideTransitAdoption, type LostEntry, type TransitAdoption } from "../../ledger/transit/adopt-transit.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readCredited, readTransitEntries, readTransitPair } from "../../store/reads/transit.ts";
import { rejectAct } from "../../store/tables/acts.ts";
import { withRights } from "../administration-rights.ts";
import { AdminError, type AdminResult, done, rejected, rejectedAct } from "../result.ts";

/** A restored database, as an operator reaches it. */
export interface RestoredCell {
  readonly cell: number;
  readonly actEngine: Engine;
  /** An operator's connections, who proposes. */
  readonly database: StatementPool;
  readonly clock: Clock;
}

/** Another cell, which has what was lost. */
interface MirroringCell {
  readonly cell: number;
  readonly pool: StatementPool;
}

export interface LostPayment extends LostEntry {
  readonly currency: string;
  readonly to: number;
  /** Business time at which it arrived (epoch ms). */
  readonly at: number;
  /** Number of the account that was credited. */
  readonly creditedNo: string | undefined;
  /** Money of a merchant, or of an account that has moved, may be on its account in the restored cell again. */
  readonly of: TransitMoney;
}

interface LostPage {
  readonly account: string;
  readonly currency: string;
  readonly payments: readonly LostPayment[];
}

/** All that the other cell has and this one has not, in the order in which it was sent. */
export async function* listLostPayments(restored: RestoredCell, other: MirroringCell): AsyncGenerator<LostPayment> {
  for (const currency of currencyCodes) {
    let after: number | undefined;
    for (;;) {
      const page = await readLostPage(restored, other, currency, after);
      if (!page) break;
      yield* page.payments;
      after = page.payments.at(-1)?.version;
    }
  }
}

export interface AdoptedPayments {
  readonly count: number;
}

const submitMaxMs = 60_000;

/** Writes all of them back; may be repeated, and goes on where an earlier call stopped. Where operators exist, another one approves each page. */
export async function adoptLostPayments(
  restored: RestoredCell,
  other: MirroringCell,
  reason: string,
): Promise<AdminResult<AdoptedPayments>> {
  let count = 0;
  for (const currency of currencyCodes) {
    for (;;) {
      const page = await readLostPage(restored, other, currency);
      if (!page) break;
      const adopted = await withRights(restored.database, () => adoptPage(restored, other.cell, page, reason));
      if (!adopted.ok) return adopted;
      count += page.payments.length;
    }
  }
  return done({ count });
}

/** Undefined: nothing was lost behind that version. */
async function readLostPage(
  { cell, database }: RestoredCell,
  { cell: to, pool }: MirroringCell,
  currency: string,
  behind?: number,
): Promise<LostPage | undefined> {
  const { out, mirror } = await readTransitPair({ pool: database, cell }, { pool, cell: to }, currency);
  const after = behind ?? out?.version ?? 0;
  if (!mirror || mirror.version <= after) return undefined;
  const entries = await readTransitEntries(pool, { account: mirror.id, after, afterJournal: undefined });
  const credited = await readCredited(
    pool,
    entries.map(({ journalId }) => journalId),
  );
  const payments = entries.map(({ version, amount, balanceAfter, journalId, of, at }) => ({
    version,
    amount: minor(-amount),
    balanceAfter: minor(-balanceAfter),
    at,
    of,
    currency,
    to,
    creditedNo: credited.get(journalId),
    // It was sent to its own number.
    movedNo: of === "relocation" ? credited.get(journalId) : undefined,
  }));
  if (payments.length === 0)
    throw new Error(
      `the mirror of what cell ${cell} sent in ${currency} to cell ${to} has no entry behind version ${after}`,
    );
  return { account: mirror.name, currency, payments };
}

async function adoptPage(
  { actEngine: engine, database, clock, cell }: RestoredCell,
  to: number,
  { account, currency, payments }: LostPage,
  reason: string,
): Promise<AdminResult<unknown>> {
  const target = internalAccountNo("transit", currency, "out", to);
  const amount = payments.reduce((sum, one) => sum + one.amount, 0n);
  const [first, last] = [payments[0]?.version, payments.at(-1)?.version];
  const act = await openAct(
    { database },
    {
      id: newId(cell),
      kind: "adoption",
      target,
      reference: `${first} to ${last}`,
      before: undefined,
      after: { amount: String(amount), currency, account },
      reason,
    },
  );
  if (act.kind === "done") return done(undefined);
  if (act.kind !== "approved") return rejectedAct(act);
  const adoption = { account, currency, to, entries: payments, actId: act.id };
  const makeCommand = () => adoptionCommand(adoption, { cell, deadline: clock.real() + commandTimeoutMs });
  const outcome = await submitUntilAnswered({ engine, clock }, makeCommand, submitMaxMs);
  const { kind } = outcome;
  if (kind === "effect") return done(undefined);
  if (kind === "nothing" || kind === "rejection" || kind === "failed")
    await rejectAct(database, act.id, { found: kind });
  if (kind === "nothing") return done(undefined);
  if (kind !== "rejection") throw new AdminError("The database did not answer: repeat it, which writes nothing twice.");
  const found = outcome.rejection.kind;
  return rejected(
    "actEnded",
    `Nothing was written: ${target} has other payments than cell ${to} has of it (${found}).`,
  );
}

function adoptionCommand(
  adoption: TransitAdoption & { readonly entries: readonly { readonly amount: Minor }[] },
  { cell, deadline }: { readonly cell: number; readonly deadline: number },
): Command<null> {
  const out = ["transit", adoption.currency, "out", adoption.to] as const;
  const restored = ["restored", adoption.currency] as const;
  const restoredId = newId(cell);
  const movedNumbers = new Set(adoption.entries.flatMap(({ movedNo }) => movedNo ?? []));
  return {
    id: newId(cell),
    deadline,
    locks: { accountNumbers: [internalAccountNo(...out), internalAccountNo(...restored), ...movedNumbers] },
    decide: (found) => {
      const accounts = {
        out: found.internalAccount(...out),
        restored: found.internalAccount(...restored),
        restoredId,
        moved: (accountNo: string) => found.account(accountNo),
      };
      const decision = decideTransitAdoption(adoption, accounts);
      return decision.kind === "effect" ? { kind: "effect", effect: { ...decision.effect, payload: null } } : decision;
    },
  };
}
