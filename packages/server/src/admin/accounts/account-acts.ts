/** Shared by the commands of accounts: an act on one, from its proposal to the account afterwards. */
import { createHash } from "node:crypto";
import type { Clock } from "../../basics/clock.ts";
import { toUuid } from "../../basics/ids.ts";
import type { Engine } from "../../engine/engine.ts";
import { type ActOpener, openAct } from "../../jobs/open-act.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { Minor } from "../../ledger/money.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { type ActProposal, describeEntries, rejectAct } from "../../store/tables/acts.ts";
import { withRights } from "../administration-rights.ts";
import type { AccountNumbers } from "./account-number.ts";
import { AdminError, type AdminResult, done, rejectedAct } from "../result.ts";
import type { LedgerDeps } from "../submit.ts";

export interface AccountDeps extends ActOpener {
  /** For what is done by an act (`Core`). */
  readonly actEngine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
  /** Account numbers of the cell (`Core`). Absent: any. */
  readonly numbers?: AccountNumbers;
}

interface Carried<Value> {
  readonly carryOut: () => Promise<AdminResult<Value>>;
  /** Reads what one that was carried out before has changed. */
  readonly read: () => Promise<Value>;
}

/** Proposes the act, and carries it out once it is approved. One that the ledger rejects is ended. */
export async function carryOutAct<Value>(
  opener: ActOpener,
  proposal: ActProposal,
  { carryOut, read }: Carried<Value>,
): Promise<AdminResult<Value>> {
  const { database } = opener;
  const act = await withRights(database, () => openAct(opener, proposal));
  if (act.kind === "done") return done(await read());
  if (act.kind !== "approved") return rejectedAct(act);
  const result = await carryOut();
  if (!result.ok) await rejectAct(database, act.id, result.rejection);
  return result;
}

/** Entries that put an amount on an account, as one text. */
export function describeFunding(accountNo: string, currency: string, amount: Minor): string {
  return describeEntries([
    { accountNo, amount, currency },
    { accountNo: internalAccountNo("funding", currency), amount: -amount, currency },
  ]);
}

/** Sixteen bytes of a hash, as a UUID. */
export function actIdOf(text: string): string {
  return toUuid(createHash("sha256").update(text).digest("hex").slice(0, 32));
}

export function ledgerOf({ actEngine: engine, clock }: AccountDeps): LedgerDeps {
  return { engine, clock };
}

export async function readAccount({ reads }: Pick<AccountDeps, "reads">, accountNo: string): Promise<Account> {
  const account = await findAccountByNumber(reads, accountNo);
  if (!account) throw new AdminError(`Account ${accountNo} was just written and is not found.`);
  return account;
}
