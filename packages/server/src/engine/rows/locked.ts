/** What one command may see of the batch's rows: those it declared, and our own accounts. */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Capture, Hold } from "../../ledger/holds/hold.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { LockedRows, HoldLock, Locks } from "../command.ts";
import type { LockedNames } from "../batch/lock-waits.ts";

interface Rows {
  byNumber(accountNo: string): Account | undefined;
  byId(id: string): Account | undefined;
  hold(lock: HoldLock): { readonly hold: Hold; readonly captures: readonly Capture[] } | undefined;
  transfer(id: string): RailTransfer | undefined;
  hasOpenTransfers(accountNo: string): boolean;
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

/** A decision needs a row that another transaction has locked: it is made when the row is free. */
export class RowLocked extends Error {
  override readonly name = "RowLocked";
  readonly row: string;
  constructor(row: string) {
    super(`row ${row} is locked`);
    this.row = row;
  }
}

/**
 * Not even a rejection is decided without all locks: sends of one external id are decided in turn by the rows they lock.
 * @throws RowLocked when the batch passed over one of these rows.
 */
export function rejectLocked(locks: Locks, rows: Pick<Rows, "hold">, locked: LockedNames): void {
  if (locked.size === 0) return;
  const { accountNumbers = [], accountIds = [], hold: lock, transferId } = locks;
  const hold = lock && rows.hold(lock)?.hold;
  const ofHold = [lock?.id, lock?.partnerReferenceKey, hold?.payer, hold?.settlement];
  for (const name of [...accountNumbers, ...accountIds, ...ofHold, transferId]) {
    const row = name === undefined ? undefined : locked.get(name);
    if (row) throw new RowLocked(row.id);
  }
}

export function hasAny({ accountNumbers = [], accountIds = [], hold }: Locks, rows: Rows): boolean {
  const accounts = [...accountNumbers.map(rows.byNumber), ...accountIds.map(rows.byId)];
  return accounts.some(Boolean) || (hold !== undefined && rows.hold(hold) !== undefined);
}

export function createLockedRows(locks: Locks, rows: Rows): LockedRows {
  const declares = (accountNo: string) => locks.accountNumbers?.includes(accountNo) === true;
  return {
    account: (accountNo) => {
      if (!declares(accountNo)) throw new Error(`account number ${accountNo} was not declared`);
      return rows.byNumber(accountNo);
    },
    accountById: (id) => {
      if (!locks.accountIds?.includes(id)) throw new Error(`account ${id} was not declared`);
      return rows.byId(id);
    },
    hold: () => {
      if (!locks.hold) throw new Error("no hold was declared");
      const found = rows.hold(locks.hold);
      if (!found) return undefined;
      const [payer, settlement] = [rows.byId(found.hold.payer), rows.byId(found.hold.settlement)];
      if (!payer || !settlement) throw new Error(`an account of hold ${found.hold.id} is not there`);
      return { ...found, payer, settlement };
    },
    transfer: () => {
      if (locks.transferId === undefined) throw new Error("no transfer was declared");
      return rows.transfer(locks.transferId);
    },
    hasOpenTransfers: (accountNo) => {
      if (!locks.openTransfersOf?.includes(accountNo)) {
        throw new Error(`the open transfers of account ${accountNo} were not declared`);
      }
      return rows.hasOpenTransfers(accountNo);
    },
    internalAccount: (purpose, currency, rail) => {
      const accountNo = internalAccountNo(purpose, currency, rail);
      if (!declares(accountNo)) throw new AccountNotLocked(accountNo);
      return rows.byNumber(accountNo);
    },
  };
}
