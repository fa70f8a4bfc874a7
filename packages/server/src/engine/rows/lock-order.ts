/**
 * The one list of row kinds. Rows are locked in this order, one table a statement, so that no two batches wait for each
 * other; what is done with them after that runs in the opposite order.
 */
import {
  accounts,
  type AccountEffect,
  type AccountLocks,
  type LoadedAccounts,
  type LockedAccounts,
  openAccounts,
} from "./accounts.ts";
import { type BulkEffect, type BulkLocks, bulks, type LoadedBulks, type LockedBulks, openBulks } from "./bulks.ts";
import type { HoldEffect } from "./hold-changes.ts";
import { holds, type HoldLocks, type LoadedHolds, type LockedHolds, openHolds } from "./holds.ts";
import {
  type LoadedPaymentRequests,
  type LockedPaymentRequests,
  openPaymentRequests,
  type PaymentRequestEffect,
  type PaymentRequestLocks,
  paymentRequests,
} from "./payment-requests.ts";
import {
  type LoadedTransfers,
  type LockedTransfers,
  openTransfers,
  type TransferEffect,
  type TransferLocks,
  transfers,
} from "./transfers.ts";

export const lockOrder = [bulks, paymentRequests, transfers, holds, accounts] as const;

/** Rows the batch locks for a command before it decides. Reading any other row is a bug and throws. */
export interface Locks extends AccountLocks, BulkLocks, HoldLocks, PaymentRequestLocks, TransferLocks {}

/** Changes of rows by an effect. The engine numbers entries and computes balances. */
export interface RowEffect extends AccountEffect, BulkEffect, HoldEffect, PaymentRequestEffect, TransferEffect {}

/** The locked rows, as earlier commands of the same batch left them. */
export interface LockedRows extends LockedAccounts, LockedBulks, LockedHolds, LockedPaymentRequests, LockedTransfers {}

export interface LoadedRows extends LoadedAccounts, LoadedBulks, LoadedHolds, LoadedPaymentRequests, LoadedTransfers {}

/** True when a command writes many rows before it locks any: it runs alone, on the heavy pipeline. */
export function writesAhead({ newBulkItems }: Locks): boolean {
  return newBulkItems !== undefined;
}

/** True when a command names rows of accounts, and of no other kind. */
export function namesOnlyAccounts(locks: Locks): boolean {
  for (const [name, value] of Object.entries(locks)) {
    if (value !== undefined && name !== "accountNumbers" && name !== "accountIds") return false;
  }
  return true;
}

/** Rows that were loaded, where they are accounts alone. */
export function onlyAccounts(loaded: LoadedAccounts): LoadedRows {
  return { ...noOtherRows, ...loaded };
}

const noOtherRows = {
  holds: [],
  captures: new Map<never, never>(),
  transfers: [],
  bulks: [],
  paymentRequests: [],
  openRequests: new Map<never, never>(),
};

type KeysOf<Kind> = Kind extends { keysOf(...given: never[]): infer Keys } ? (keys: Keys) => void : never;

/** All rows that the commands of a batch name: the keys of all kinds together. */
export type LockSet = KeysOf<(typeof lockOrder)[number]> extends (keys: infer All) => void ? All : never;

export interface OpenRows extends ReturnType<typeof openRows> {}

export function openRows(loaded: LoadedRows) {
  const ofAccounts = openAccounts(loaded);
  return {
    accounts: ofAccounts,
    holds: openHolds(loaded, ofAccounts),
    // Before their items: the database accepts the result of an item only after it was counted.
    bulks: openBulks(loaded),
    transfers: openTransfers(loaded),
    paymentRequests: openPaymentRequests(loaded, ofAccounts),
  };
}

/** Rows that one command may see: those it declared, and our own accounts. */
export function lockedRowsOf(rows: OpenRows, locks: Locks): LockedRows {
  return {
    account: (accountNo) => rows.accounts.find(locks, accountNo),
    accountById: (id) => rows.accounts.findById(locks, id),
    internalAccount: (...name) => rows.accounts.findInternal(locks, ...name),
    act: () => rows.accounts.findAct(locks),
    hold: () => rows.holds.find(locks),
    transfer: () => rows.transfers.find(locks),
    freeTransfers: () => rows.transfers.findFree(locks),
    paymentRequest: () => rows.paymentRequests.find(locks),
    openRequests: () => rows.paymentRequests.findOpen(locks),
    bulk: () => rows.bulks.find(locks),
    hasNewItems: () => rows.bulks.hasNewItems(),
  };
}
