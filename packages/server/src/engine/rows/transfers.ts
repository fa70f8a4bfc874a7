/** Transfers over rails. Their accounts are declared like any other. */
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { transferLocks, insertTransfers, type TransferUpdate, updateTransfers } from "../../store/tables/transfers.ts";
import { type KindRows, nothingPrepared, type RowKind } from "./row-kind.ts";

export interface TransferLocks {
  readonly transferId?: string;
  /** Any number: those that another transaction has locked are passed over, and do not delay the command. */
  readonly freeTransferIds?: readonly string[];
}

export interface TransferEffect {
  readonly newTransfers?: readonly RailTransfer[];
  /** Transfers as they become, at the version they were decided on. */
  readonly transfers?: readonly RailTransfer[];
}

export interface LockedTransfers {
  /** The transfer the command's locks name. */
  transfer(): RailTransfer | undefined;
  /** Those of `freeTransferIds` that there are and that were free. */
  freeTransfers(): readonly RailTransfer[];
}

export interface LoadedTransfers {
  readonly transfers: readonly RailTransfer[];
}

export interface TransferRowKeys {
  readonly transfers: readonly string[];
}

type Kind = RowKind<TransferLocks, TransferRowKeys, TransferRowKeys, LoadedTransfers, never>;

export const transfers: Kind = {
  keysOf: (commands) => {
    const ids = new Set<string>();
    for (const { locks } of commands) {
      if (locks.transferId !== undefined) ids.add(locks.transferId);
      for (const id of locks.freeTransferIds ?? []) ids.add(id);
    }
    return { transfers: [...ids] };
  },
  keysOfIds: (ids) => ({ transfers: ids }),
  without: ({ transfers: ids }, locked) => ({ transfers: ids.filter((id) => !locked.has(id)) }),
  lock: async (session, { transfers: ids }) => ({
    transfers: ids.length === 0 ? [] : await transferLocks.lock(session, ids),
  }),
  findLocked: (session, keys) => transferLocks.findLocked(session, keys.transfers),
};

export interface TransferRows extends KindRows<TransferLocks, TransferEffect> {
  find(locks: TransferLocks): RailTransfer | undefined;
  findFree(locks: TransferLocks): readonly RailTransfer[];
}

interface Slot {
  transfer: RailTransfer;
  /** Undefined: accepted by this batch. */
  readonly oldVersion: number | undefined;
  changed: boolean;
}

export function openTransfers(loaded: LoadedTransfers): TransferRows {
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
    findFree: ({ freeTransferIds }) => {
      if (freeTransferIds === undefined) throw new Error("no free transfers were declared");
      return freeTransferIds.flatMap((id) => byId.get(id)?.transfer ?? []);
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
