/** The rail transfers of a batch's working copy, and what of them is to be written. */
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { TransferUpdate } from "../../store/tables/transfers.ts";
import type { Effect } from "../command.ts";

export interface TransferRows {
  find(id: string): RailTransfer | undefined;
  /** @throws when the effect names a transfer that was not locked, or accepts one twice. */
  check(effect: Effect<unknown>): void;
  /** Takes over what `check` has let through. */
  take(effect: Effect<unknown>): void;
  accepted(): readonly RailTransfer[];
  changed(): readonly TransferUpdate[];
}

interface Slot {
  transfer: RailTransfer;
  /** Undefined: accepted by this batch. */
  readonly oldVersion: number | undefined;
  changed: boolean;
}

export function createTransferRows(loaded: readonly RailTransfer[]): TransferRows {
  const byId = new Map<string, Slot>(
    loaded.map((transfer) => [transfer.id, { transfer, oldVersion: transfer.version, changed: false }]),
  );
  return {
    find: (id) => byId.get(id)?.transfer,
    check: ({ newTransfers = [], transfers = [] }) => {
      for (const { id } of newTransfers) if (byId.has(id)) throw new Error(`transfer ${id} is accepted twice`);
      for (const { id, version } of transfers) {
        const slot = byId.get(id);
        if (!slot) throw new Error(`an effect names transfer ${id}, which the batch did not lock`);
        if (slot.transfer.version !== version) throw new Error(`transfer ${id} was decided on as it was before`);
      }
    },
    take: ({ newTransfers = [], transfers = [] }) => {
      for (const transfer of newTransfers) byId.set(transfer.id, { transfer, oldVersion: undefined, changed: false });
      for (const transfer of transfers) {
        const slot = byId.get(transfer.id) as Slot;
        slot.transfer = { ...transfer, version: transfer.version + 1 };
        slot.changed = true;
      }
    },
    accepted: () => [...byId.values()].filter((slot) => slot.oldVersion === undefined).map((slot) => slot.transfer),
    changed: () =>
      [...byId.values()]
        .filter((slot) => slot.changed && slot.oldVersion !== undefined)
        .map(({ transfer, oldVersion = 0 }) => ({ transfer, oldVersion })),
  };
}
