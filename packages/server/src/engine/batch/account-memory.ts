/**
 * A session's memory of accounts as its commits and locks left them. It is never the truth: what is decided from it is written
 * only where no row has changed since. It belongs to one session, because a server that takes over may give out the same
 * transaction ids again.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import type { RememberedAccount } from "../rows/accounts.ts";
import { type Clock, elapsedSince, type Moment, momentOf } from "../../basics/clock.ts";
import type { Session } from "../../store/postgres/session.ts";
import type { FoundAccounts } from "../../store/tables/accounts.ts";

export interface AccountMemory {
  /** By number or id. Undefined: it is not remembered, or was changed by others so often that it is left alone for now. */
  find(name: string): RememberedAccount | undefined;
  /** The account as a commit left it, or found it. */
  keep(account: Account, xmin: string, at: Moment): void;
  /** The same, only where the account is remembered already. */
  refresh(account: Account, xmin: string, at: Moment): void;
  /** These were remembered as they are: a batch that was decided from them was written at its first try. */
  confirm(accounts: readonly RememberedAccount[]): void;
  /** As they are, after a batch that was not written: at least one was not as it is remembered. */
  correct(found: FoundAccounts): void;
  /** True for a while when most batches were decided on what others had changed: two nodes work on the same accounts. */
  isUnreliable(): boolean;
}

/** About 40 MB. */
const mostKept = 50_000;
/** Far less than 2^32 transactions take, after which an `xmin` comes again. */
const keptMs = 3_600_000;
/** Misses of an account in a row after which it is left alone … */
const missesMax = 2;
/** … for this time. So is the whole memory when most batches miss. */
const pauseMs = 1_000;
/** Weight of the last batch in the share of batches that missed, and the share from which memory costs more than it saves. */
const weight = 0.1;
const shareMax = 0.5;

interface Kept extends RememberedAccount {
  account: Account;
  xmin: string;
  at: Moment;
  /** In a row. */
  misses: number;
  /** By the monotonic clock. */
  pausedUntil: number;
}

type MemoryClock = Pick<Clock, "real" | "monotonic">;

const memories = new WeakMap<Session, AccountMemory>();

export function memoryOf(session: Session, clock: MemoryClock): AccountMemory {
  let memory = memories.get(session);
  if (!memory) memories.set(session, (memory = createAccountMemory(clock)));
  return memory;
}

/** After any error, or doubt. */
export function forgetAccounts(session: Session): void {
  memories.delete(session);
}

export function createAccountMemory(clock: MemoryClock): AccountMemory {
  /** Those that were met first come first. */
  const byId = new Map<string, Kept>();
  const idByNumber = new Map<string, string>();
  let missedShare = 0;
  let pausedUntil = -Infinity;

  const refresh: AccountMemory["refresh"] = (account, xmin, at) => {
    const kept = byId.get(account.id);
    if (!kept) return;
    kept.account = account;
    kept.xmin = xmin;
    kept.at = at;
  };
  const add = (account: Account, xmin: string, at: Moment) => {
    byId.set(account.id, { account, xmin, at, misses: 0, pausedUntil: -Infinity });
    idByNumber.set(account.accountNo, account.id);
    if (byId.size <= mostKept) return;
    for (const [id, first] of byId) {
      byId.delete(id);
      idByNumber.delete(first.account.accountNo);
      return;
    }
  };

  return {
    find: (name) => {
      const kept = byId.get(idByNumber.get(name) ?? name);
      if (!kept || kept.pausedUntil > clock.monotonic()) return undefined;
      return elapsedSince(kept.at, clock) > keptMs ? undefined : kept;
    },
    keep: (account, xmin, at) => (byId.has(account.id) ? refresh : add)(account, xmin, at),
    refresh,
    confirm: (accounts) => {
      for (const { account } of accounts) {
        const kept = byId.get(account.id);
        if (kept) kept.misses = 0;
      }
      missedShare -= weight * missedShare;
    },
    correct: ({ accounts, xmins }) => {
      const at = momentOf(clock);
      for (const [position, account] of accounts.entries()) {
        const xmin = xmins[position] as string;
        const kept = byId.get(account.id);
        if (!kept) continue;
        if (kept.xmin !== xmin) kept.misses += 1;
        if (kept.misses >= missesMax) kept.pausedUntil = at.monotonic + pauseMs;
        refresh(account, xmin, at);
      }
      missedShare += weight * (1 - missedShare);
      if (missedShare > shareMax) pausedUntil = at.monotonic + pauseMs;
    },
    isUnreliable: () => pausedUntil > clock.monotonic(),
  };
}
