/** The command that records an event of a transfer. It has no keys: the state guard makes it harmless twice. */
import { operations, writesOf } from "@titian/contract";
import type { Command } from "../../engine/command.ts";
import type { LockedRows, Locks } from "../../engine/rows/lock-order.ts";
import { newId } from "../../basics/ids.ts";
import type { Act } from "../../ledger/act.ts";
import { commandTimeoutMs } from "../../jobs/submit-until-answered.ts";
import { applyRailEvent, type TransferRailEvent } from "../../ledger/transfers/apply-event.ts";
import { type InternalAccountName, internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { transferStates, type TransferEvent } from "../../ledger/transfers/states.ts";
import type { NewNotification } from "../../store/tables/notifications/outbox.ts";
import { bulkProgress } from "./bulk-progress.ts";

/** The immutable terms that name the rows of an event. */
export interface KnownTransfer {
  readonly id: string;
  readonly rail: RailName;
  readonly currency: string;
  /** Account id of the payer. */
  readonly source: string;
  /** Part of the rail's suspense account. */
  readonly suspensePart: number;
  /** Id of its bulk (20). */
  readonly bulk?: string | undefined;
}

export interface RailEvent extends Omit<TransferRailEvent, "journal" | "now"> {
  /** The operator's, by whom it is. */
  readonly act?: Act;
}

/** Payload of the command: the transfer after the event. */
export function railEventCommand(
  known: KnownTransfer,
  { act, ...railEvent }: RailEvent,
  real: number,
): Command<RailTransfer> {
  const id = newId();
  const newIds = { clearing: newId(), fee: newId(), unapplied: newId(), event: newId() };
  return {
    id,
    deadline: real + commandTimeoutMs,
    locks: locksOf(known, railEvent.event),
    decide: (found, { now }) => {
      const decision = applyRailEvent(
        found.transfer(),
        { ...railEvent, now, journal: id },
        { ...accountsOf(known, railEvent.event, found), newIds },
        { find: (purpose, currency) => found.internalAccount(purpose, currency), newId: newIds.unapplied },
      );
      if (decision.kind !== "effect") return decision;
      const [next] = decision.effect.transfers;
      if (!next) throw new Error(`the rail event of transfer ${known.id} changes nothing`);
      const reported = hasBulk(known, railEvent.event)
        ? bulkProgress(found.bulk(), next, now, newIds.event)
        : { notifications: notificationsOf(next, () => newIds.event) };
      return { kind: "effect", effect: { ...decision.effect, ...reported, payload: next, ...(act && { act }) } };
    },
  };
}

type RailPurpose = "suspense" | "clearing" | "fee";

const internalPurposes = {
  submit: [],
  withdraw: [],
  acknowledge: [],
  settle: ["suspense", "clearing", "fee"],
  reject: ["suspense"],
  return: ["clearing"],
} as const satisfies Record<TransferEvent, readonly RailPurpose[]>;

const returningEvents: readonly TransferEvent[] = ["reject", "return"];

const results: readonly TransferEvent[] = ["settle", "reject", "return"];

/** True when the event changes the bulk of an item. */
function hasBulk({ bulk }: KnownTransfer, event: TransferEvent): boolean {
  return bulk !== undefined && results.includes(event);
}

function locksOf(known: KnownTransfer, event: TransferEvent): Locks {
  const { id, source, bulk } = known;
  return {
    transferId: id,
    ...(hasBulk(known, event) && { bulkId: bulk }),
    accountNumbers: internalNosOf(known, event),
    ...(returningEvents.includes(event) && { accountIds: [source] }),
  };
}

/** Numbers of our own accounts that the event moves money on. */
export function internalNosOf(known: KnownTransfer, event: TransferEvent): readonly string[] {
  return internalPurposes[event].map((purpose) => internalAccountNo(...nameOf(purpose, known)));
}

export function accountsOf(known: KnownTransfer, event: TransferEvent, found: LockedRows) {
  const ours = (purpose: RailPurpose) =>
    (internalPurposes[event] as readonly string[]).includes(purpose)
      ? found.internalAccount(...nameOf(purpose, known))
      : undefined;
  return {
    source: returningEvents.includes(event) ? found.accountById(known.source) : undefined,
    suspense: ours("suspense"),
    clearing: ours("clearing"),
    fee: ours("fee"),
  };
}

function nameOf(purpose: RailPurpose, { currency, rail, suspensePart }: KnownTransfer): InternalAccountName {
  return purpose === "suspense" ? [purpose, currency, rail, suspensePart] : [purpose, currency, rail];
}

const notificationServices = new Map(
  writesOf("transfer").flatMap(({ code, about: { notifiedBy } }) =>
    notifiedBy === undefined ? [] : [[Number(code), Number(operations[notifiedBy].code)] as const],
  ),
);

/** Spec D14: every final result of a transfer that has a notification, and a return as a later one. */
export function notificationsOf(
  { id, partner, service, state }: RailTransfer,
  newEventId: () => string,
): readonly NewNotification[] {
  const notification = notificationServices.get(service);
  const isFinal = state === "settled" || state === "rejected" || state === "returned";
  if (notification === undefined || !isFinal) return [];
  return [{ id: newEventId(), partner, service: notification, subject: id, status: transferStates[state].status }];
}
