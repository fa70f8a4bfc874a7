/** Transfers over rails. Their accounts are declared like any other. */
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import {
  transferLocks,
  findPayersOfOpen,
  insertTransfers,
  type TransferUpdate,
  updateTransfers,
} from "../../store/tables/transfers.ts";
import { type Accounts, type KindRows, nothingPrepared, type RowKind } from "./row-kind.ts";

export interface TransferLocks {
  readonly transferId?: string;
  /** Numbers of declared accounts: whether they have pending transfers. */
  readonly openTransfersOf?: readonly string[];
}

export interface TransferEffect {
  readonly newTransfers?: readonly RailTransfer[];
  /** Transfers as they become, at the version they were decided on. */
  readonly transfers?: readonly RailTransfer[];
}

export interface LockedTransfers {
  /** The transfer the command's locks name. */
  transfer(): RailTransfer | undefined;
  /** True when the account has pending transfers. */
  hasOpenTransfers(accountNo: string): boolean;
}

export interface LoadedTransfers {
  readonly transfers: readonly RailTransfer[];
  /** Numbers of declared accounts with pending transfers. */
  readonly payersOfOpen: ReadonlySet<string>;
}

export interface TransferRowKeys {
  readonly transfers: readonly string[];
  readonly payersOfOpen: readonly string[];
}

type Kind = RowKind<
  TransferLocks,
  TransferRowKeys,
  TransferRowKeys,
  Pick<LoadedTransfers, "transfers">,
  Pick<LoadedTransfers, "payersOfOpen">
>;

const noPayers: ReadonlySet<string> = new Set();

export const transfers: Kind = {
  keysOf: (commands) => {
    const ids = new Set<string>();
    const payers = new Set<string>();
    for (const { locks } of commands) {
      if (locks.transferId !== undefined) ids.add(locks.transferId);
      for (const number of locks.openTransfersOf ?? []) payers.add(number);
    }
    return { transfers: [...ids], payersOfOpen: [...payers] };
  },
  keysOfIds: (ids) => ({ transfers: ids, payersOfOpen: [] }),
  without: ({ transfers: ids, payersOfOpen }, locked) => ({
    transfers: ids.filter((id) => !locked.has(id)),
    payersOfOpen,
  }),
  lock: async (session, { transfers: ids }) => ({
    transfers: ids.length === 0 ? [] : await transferLocks.lock(session, ids),
  }),
  read: async (session, { payersOfOpen: asked }) => ({
    payersOfOpen: asked.length === 0 ? noPayers : await findPayersOfOpen(session, asked),
  }),
  findLocked: (session, keys) => transferLocks.findLocked(session, keys.transfers),
};

export interface TransferRows extends KindRows<TransferLocks, TransferEffect> {
  find(locks: TransferLocks): RailTransfer | undefined;
  hasOpen(locks: TransferLocks, accountNo: string): boolean;
}

interface Slot {
  transfer: RailTransfer;
  /** Undefined: accepted by this batch. */
  readonly oldVersion: number | undefined;
  changed: boolean;
}

export function openTransfers(loaded: LoadedTransfers, accounts: Accounts): TransferRows {
  const byId = new Map<string, Slot>(
    loaded.transfers.map((transfer) => [transfer.id, { transfer, oldVersion: transfer.version, changed: false }]),
  );
  const accepted = () =>
    [...byId.values()].filter((slot) => slot.oldVersion === undefined).map((slot) => slot.transfer);
  const apply = ({ newTransfers = [], transfers: changes = [] }: TransferEffect) => {
    for (const transfer of newTransfers) byId.set(transfer.id, { transfer, oldVersion: undefined, changed: false });
    for (const transfer of changes) {
      const slot = byId.get(transfer.id) as Slot;
      slot.transfer = { ...transfer, version: transfer.version + 1 };
      slot.changed = true;
    }
  };
  return {
    find: ({ transferId }) => {
      if (transferId === undefined) throw new Error("no transfer was declared");
      return byId.get(transferId)?.transfer;
    },
    hasOpen: ({ openTransfersOf }, accountNo) => {
      if (!openTransfersOf?.includes(accountNo)) {
        throw new Error(`the open transfers of account ${accountNo} were not declared`);
      }
      if (loaded.payersOfOpen.has(accountNo)) return true;
      const id = accounts.byNumber(accountNo)?.id;
      return accepted().some((transfer) => transfer.source === id);
    },
    namesOf: ({ transferId }) => [transferId],
    // Only jobs declare one.
    hasAny: () => false,
    prepare: (effect) => {
      const { newTransfers = [], transfers: changes = [] } = effect;
      const rows = newTransfers.length + changes.length;
      if (rows === 0) return nothingPrepared;
      for (const { id } of newTransfers) if (byId.has(id)) throw new Error(`transfer ${id} is accepted twice`);
      for (const { id, version } of changes) {
        const slot = byId.get(id);
        if (!slot) throw new Error(`an effect names transfer ${id}, which the batch did not lock`);
        if (slot.transfer.version !== version) throw new Error(`the decision on transfer ${id} used a stale row`);
      }
      return { rows, apply: () => apply(effect) };
    },
    write: (session, at, send) => {
      const added = accepted();
      const changed = [...byId.values()].flatMap(({ transfer, oldVersion, changed: isChanged }): TransferUpdate[] =>
        isChanged && oldVersion !== undefined ? [{ transfer, oldVersion }] : [],
      );
      if (added.length > 0) send(insertTransfers(session, added, at));
      if (changed.length > 0) send(updateTransfers(session, changed));
    },
  };
}
