/** Accounts: their balances and entries; acts change their terms in the database. They are locked last, with those that rows of other kinds name. */
import type { Account, DailyUse } from "../../ledger/accounts/account.ts";
import { type InternalAccountName, internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, maxMinor } from "../../ledger/money.ts";
import { type Posting, postingKinds } from "../../ledger/posting.ts";
import {
  type AccountUpdate,
  findLockedAccounts,
  insertAccount,
  lockAccounts,
  lockAccountsWithParents,
  updateAccounts,
} from "../../store/tables/accounts.ts";
import { findActs } from "../../store/tables/acts.ts";
import { type Entry, insertEntries } from "../../store/tables/entries.ts";
import type { AccountKeys } from "../../store/tables/known-account-ids.ts";
import { type AccountParents, type Accounts, type Draft, isNothing, type KindRows, type RowKind } from "./row-kind.ts";

export interface AccountLocks {
  readonly accountNumbers?: readonly string[];
  readonly accountIds?: readonly string[];
  /** Id of an act that moves money of a declared account. */
  readonly actId?: string;
}

export interface AccountEffect {
  readonly postings?: readonly Posting[];
  readonly dailyUses?: readonly { readonly account: string; readonly use: DailyUse }[];
  /** New accounts, with nothing on them; postings of the same effect may name them. */
  readonly newAccounts?: readonly Account[];
}

export interface LockedAccounts {
  account(accountNo: string): Account | undefined;
  accountById(id: string): Account | undefined;
  /**
   * One of our own accounts. It need not be declared: a decision that reaches for one which is not locked is given up,
   * and the command is retried with it.
   */
  internalAccount(...name: InternalAccountName): Account | undefined;
  /** Entries of the act that the command's locks name, as `describeEntries` writes them; undefined: there is none yet. */
  act(): string | undefined;
}

export interface LoadedAccounts {
  readonly accounts: readonly Account[];
  /** The `xmin` of each account's row. Absent: they are not to be remembered. */
  readonly xmins?: readonly string[];
  /** Entries of acts that were named, by id. */
  readonly acts?: ReadonlyMap<string, string>;
}

export interface AccountRowKeys {
  readonly accounts: AccountKeys;
  readonly acts: readonly string[];
}

/** A decision reached for one of our own accounts that its command had not declared: it is retried with it. */
export class AccountNotLocked extends Error {
  override readonly name = "AccountNotLocked";
  readonly accountNo: string;
  constructor(accountNo: string) {
    super(`account ${accountNo} is needed and not locked`);
    this.accountNo = accountNo;
  }
}

type Kind = RowKind<
  AccountLocks,
  AccountRowKeys,
  AccountRowKeys & AccountParents,
  Pick<LoadedAccounts, "accounts" | "xmins">,
  Pick<LoadedAccounts, "acts">
>;

export const accounts: Kind = {
  keysOf: (commands) => {
    const numbers = new Set<string>();
    const ids = new Set<string>();
    const acts: string[] = [];
    for (const { locks } of commands) {
      if (locks.actId !== undefined) acts.push(locks.actId);
      for (const number of locks.accountNumbers ?? []) numbers.add(number);
      for (const id of locks.accountIds ?? []) ids.add(id);
    }
    return { accounts: { numbers: [...numbers], ids: [...ids] }, acts };
  },
  keysOfIds: (ids) => ({ accounts: { numbers: [], ids }, acts: [] }),
  without: ({ accounts: { numbers, ids }, acts }, locked) => {
    const isFree = (name: string) => !locked.has(name);
    return { accounts: { numbers: numbers.filter(isFree), ids: ids.filter(isFree) }, acts };
  },
  lock: async (session, { accounts: named, accountParents }, locked) => {
    if (!isNothing(accountParents)) {
      const rows = [...new Set([...locked.values()].map((row) => row.id))];
      return lockAccountsWithParents(session, named, accountParents, rows);
    }
    return named.numbers.length + named.ids.length === 0 ? { accounts: [] } : lockAccounts(session, named);
  },
  read: async (session, { acts }) => (acts.length === 0 ? {} : { acts: await findActs(session, acts) }),
  findLocked: (session, keys) => findLockedAccounts(session, keys.accounts, keys.accountParents),
};

export interface AccountRows extends KindRows<AccountLocks, AccountEffect>, Accounts {
  find(locks: AccountLocks, accountNo: string): Account | undefined;
  findById(locks: AccountLocks, id: string): Account | undefined;
  findInternal(locks: AccountLocks, ...name: InternalAccountName): Account | undefined;
  findAct(locks: AccountLocks): string | undefined;
  /** Entries of the acts that were named and of the batch's own, by id. */
  readonly acts: Map<string, string>;
  readonly entries: readonly Entry[];
  readonly opened: readonly Account[];
  moved(): readonly AccountUpdate[];
  /** Visits the accounts as the commit leaves them. `writer`: the `xmin` of those that moved. Without accounts that it opens. */
  eachCommitted(writer: string | undefined, visit: (account: Account, xmin: string) => void): void;
  /** The `xmin` of the accounts that moved, once the statement that writes them was answered. */
  writer: string | undefined;
}

/** An account as a row stands, and the transaction that wrote it so. */
export interface RememberedAccount {
  readonly account: Account;
  readonly xmin: string;
}

interface Slot {
  account: Account;
  readonly oldVersion: number;
  /** Undefined: it is not known, or the account is new. */
  readonly xmin: string | undefined;
  moved: boolean;
}

export function openAccounts(loaded: LoadedAccounts): AccountRows {
  const slots = new Map<string, Slot>();
  const slotsByNumber = new Map<string, Slot>();
  const entries: Entry[] = [];
  const opened: Account[] = [];
  const acts = new Map(loaded.acts);
  const index = (account: Account, xmin?: string) => {
    const slot = { account, oldVersion: account.version, xmin, moved: false };
    slots.set(account.id, slot);
    slotsByNumber.set(account.accountNo, slot);
  };
  for (const [position, account] of loaded.accounts.entries()) index(account, loaded.xmins?.[position]);
  const byId = (id: string) => slots.get(id)?.account;
  const byNumber = (accountNo: string) => slotsByNumber.get(accountNo)?.account;

  const apply = (changes: Changes, newAccounts: readonly Account[]) => {
    for (const account of newAccounts) {
      index(account);
      opened.push(account);
    }
    for (const [id, account] of changes.accounts) {
      const slot = slots.get(id) as Slot;
      slot.account = account;
      slot.moved ||= changes.moved.has(id);
    }
    for (const entry of changes.entries) entries.push(entry);
  };
  const moved = () =>
    [...slots.values()].filter((slot) => slot.moved).map(({ account, oldVersion }) => ({ account, oldVersion }));

  const rows: AccountRows = {
    byId,
    byNumber,
    ...findersIn({ byId, byNumber }),
    findAct: ({ actId }) => {
      if (actId === undefined) throw new Error("no act was declared");
      return acts.get(actId);
    },
    acts,
    namesOf: ({ accountNumbers = [], accountIds = [] }) => [...accountNumbers, ...accountIds],
    hasAny: ({ accountNumbers = [], accountIds = [] }) =>
      accountNumbers.some((number) => slotsByNumber.has(number)) || accountIds.some((id) => slots.has(id)),
    prepare: (effect, draft) => {
      const changes = changesOf(effect, draft, byId);
      const { newAccounts = [] } = effect;
      return {
        rows: changes.entries.length + changes.moved.size + newAccounts.length,
        apply: () => apply(changes, newAccounts),
      };
    },
    entries,
    opened,
    moved,
    eachCommitted: (writer, visit) => {
      for (const { account, xmin: loadedXmin, moved: isMoved } of slots.values()) {
        const xmin = isMoved ? writer : loadedXmin;
        if (loadedXmin !== undefined && xmin !== undefined) visit(account, xmin);
      }
    },
    writer: undefined,
    write: (session, at, send) => {
      // In one order: another batch that opens the same ones waits for this one, and never this one for it.
      for (const account of opened.toSorted(byAccountNo)) send(insertAccount(session, account, at));
      if (entries.length > 0) send(insertEntries(session, entries, at));
      const updates = moved();
      if (updates.length > 0) send(updateAccounts(session, updates).then((writer) => void (rows.writer = writer)));
    },
  };
  return rows;
}

function byAccountNo(one: Account, other: Account): number {
  return one.accountNo < other.accountNo ? -1 : 1;
}

/** Only what a command declared is found for it. */
function findersIn({ byId, byNumber }: Accounts): Pick<AccountRows, "find" | "findById" | "findInternal"> {
  const declares = (locks: AccountLocks, accountNo: string) => locks.accountNumbers?.includes(accountNo) === true;
  return {
    find: (locks, accountNo) => {
      if (!declares(locks, accountNo)) throw new Error(`account number ${accountNo} was not declared`);
      return byNumber(accountNo);
    },
    findById: (locks, id) => {
      if (!locks.accountIds?.includes(id)) throw new Error(`account ${id} was not declared`);
      return byId(id);
    },
    findInternal: (locks, ...name) => {
      const accountNo = internalAccountNo(...name);
      if (!declares(locks, accountNo)) throw new AccountNotLocked(accountNo);
      return byNumber(accountNo);
    },
  };
}

/** Changes of an effect; the rows are not changed yet. */
interface Changes {
  /** The accounts as the effect leaves them, by id. */
  readonly accounts: Map<string, Account>;
  readonly entries: Entry[];
  /** Ids of accounts whose money or daily use changes. */
  readonly moved: Set<string>;
}

function changesOf(
  effect: AccountEffect,
  { journalId, reserves }: Draft,
  locked: (id: string) => Account | undefined,
): Changes {
  const changes: Changes = { accounts: new Map(), entries: [], moved: new Set() };
  const accountOf = (id: string): Account => {
    const account = changes.accounts.get(id) ?? locked(id);
    if (!account) throw new Error(`an effect names account ${id}, which the batch did not lock`);
    return account;
  };
  for (const account of effect.newAccounts ?? []) changes.accounts.set(account.id, emptyOrThrow(account));
  for (const { account, use } of effect.dailyUses ?? []) {
    changes.accounts.set(account, { ...accountOf(account), dailyUse: use });
    changes.moved.add(account);
  }
  for (const { account: id, amount } of reserves) {
    const account = accountOf(id);
    changes.accounts.set(id, { ...account, held: (account.held + amount) as Minor });
    changes.moved.add(id);
  }
  for (const posting of effect.postings ?? []) {
    if (posting.amount <= 0n) throw new Error(`a posting of ${posting.amount} minor units is no posting`);
    const kind = postingKinds[posting.kind];
    post(changes, accountOf(posting.from), -posting.amount, kind, journalId);
    post(changes, accountOf(posting.to), posting.amount, kind, journalId);
  }
  return changes;
}

function emptyOrThrow(account: Account): Account {
  if (account.version === 0 && account.balance === 0n && account.held === 0n) return account;
  throw new Error(`account ${account.id} is opened with something on it: money comes by a posting`);
}

function post(changes: Changes, account: Account, amount: bigint, kind: number, journalId: string): void {
  const balance = (account.balance + amount) as Minor;
  if (balance > maxMinor || balance < -maxMinor) {
    throw new Error(`account ${account.id} would leave the range of a row`);
  }
  const { currency } = account;
  const version = account.version + 1;
  changes.accounts.set(account.id, { ...account, balance, version });
  changes.moved.add(account.id);
  changes.entries.push({ accountId: account.id, version, journalId, kind, currency, amount, balanceAfter: balance });
}
