/** The command that records what a rail settled of one part of its suspense account. */
import type { Command } from "../../engine/command.ts";
import { newId } from "../../basics/ids.ts";
import { commandTimeoutMs } from "../../jobs/submit-until-answered.ts";
import { type SettlementResult, settleTogether } from "../../ledger/transfers/apply-event.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { accountsOf, internalNosOf, type KnownTransfer, notificationsOf } from "./event-command.ts";

export interface Settlement extends SettlementResult {
  readonly known: KnownTransfer;
}

/** Transfers that one command may settle together: of one part, and no item of a bulk, whose result its bulk counts. */
export function partOf({ rail, currency, suspensePart, bulk }: KnownTransfer): string | undefined {
  return bulk === undefined ? `${rail} ${currency} ${suspensePart}` : undefined;
}

/**
 * Settles transfers of one part, each once, by one journal. Payload: those that it settled. A transfer that is in another
 * state, not there or locked by another transaction is not among them.
 */
export function settlementCommand(
  settlements: readonly [Settlement, ...Settlement[]],
  real: number,
): Command<readonly RailTransfer[]> {
  const id = newId();
  const newIds = { clearing: newId(), fee: newId() };
  const [{ known }] = settlements;
  const byId = new Map(settlements.map((settlement) => [settlement.known.id, settlement]));
  return {
    id,
    deadline: real + commandTimeoutMs,
    locks: { freeTransferIds: [...byId.keys()], accountNumbers: internalNosOf(known, "settle") },
    decide: (found, { now }) => {
      const results = found.freeTransfers().map((transfer) => {
        return { transfer, result: byId.get(transfer.id) as Settlement };
      });
      const accounts = { ...accountsOf(known, "settle", found), newIds };
      const decision = settleTogether(results, { now, journal: id }, accounts);
      if (decision.kind !== "effect") return decision;
      const { transfers } = decision.effect;
      const notifications = transfers.flatMap((one) => notificationsOf(one, newId));
      return { kind: "effect", effect: { ...decision.effect, notifications, payload: transfers } };
    },
  };
}
