/**
 * Who would wait for a row that somebody else holds for long: a stopped node, an operator's open transaction. A row that
 * flights of other nodes pass from hand to hand is none: whoever waits for it gets it in its turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { findHeldAccounts } from "../store/accounts.ts";
import type { HeldRow } from "../store/held-row.ts";
import { findHeldHolds } from "../store/holds.ts";
import type { Session } from "../store/session.ts";
import { findHeldTransfers } from "../store/transfers.ts";
import type { Command } from "./command.ts";
import type { Pending } from "./queue.ts";
import { isNothing, wantedBy } from "./wanted.ts";

/** Rows known to be held for long, each with the transaction that holds it. */
export type StuckRows = ReadonlySet<string>;

export interface Parted {
  readonly free: readonly Pending[];
  readonly waiting: readonly Pending[];
}

/** Longer than a flight of another node holds a row. */
const passingMs = 30;

const keyOf = ({ name, holder }: HeldRow) => `${name} ${holder}`;

/** The rows named by these commands that one and the same transaction holds now and a moment later. */
export async function findStuckRows(session: Session, pending: readonly Pending[]): Promise<StuckRows> {
  const before = new Set((await findHeldRows(session, pending)).map(keyOf));
  if (before.size === 0) return before;
  await sleep(passingMs);
  return new Set((await findHeldRows(session, pending)).map(keyOf).filter((key) => before.has(key)));
}

/** Parts commands by whether they would wait now for one of the given rows. */
export async function partByRows(session: Session, pending: readonly Pending[], stuck: StuckRows): Promise<Parted> {
  if (stuck.size === 0) return { free: pending, waiting: [] };
  const held = (await findHeldRows(session, pending)).filter((row) => stuck.has(keyOf(row)));
  const names = new Set(held.map(({ name }) => name));
  const waits = (one: Pending) => namesOf(one.command).some((name) => name !== undefined && names.has(name));
  return { free: pending.filter((one) => !waits(one)), waiting: pending.filter(waits) };
}

async function findHeldRows(session: Session, pending: readonly Pending[]): Promise<readonly HeldRow[]> {
  const { accounts, holds, transfers } = wantedBy(pending.map((one) => one.command));
  const held = await Promise.all([
    accounts.numbers.length + accounts.ids.length === 0 ? [] : findHeldAccounts(session, accounts),
    isNothing(holds) ? [] : findHeldHolds(session, holds),
    transfers.length === 0 ? [] : findHeldTransfers(session, transfers),
  ]);
  return held.flat();
}

function namesOf({ locks }: Command<unknown>): readonly (string | undefined)[] {
  const { accountNumbers = [], accountIds = [], hold, transferId } = locks;
  return [...accountNumbers, ...accountIds, hold?.id, hold?.numberKey, transferId];
}
