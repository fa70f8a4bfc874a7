/** Holds and accounts in the database against the model's: every sum, every event, every balance. */
import assert from "node:assert/strict";
import type { Client } from "pg";
import { sum } from "../../support/ledger-model.ts";
import { type HoldHistory, historyOf, type HoldSums, readBalances, readHoldsOf } from "../hold-record.ts";
import { captured, heldOn, type HoldState, type ModelHold, refunded, refundedOf, unreleased } from "./hold-state.ts";

export async function assertDatabaseIs(client: Client, state: HoldState, partners: readonly string[]): Promise<void> {
  const records = await readHoldsOf(client, partners);
  assert.deepEqual(
    new Map(records.map((record) => [record.no, [record.sums, historyOf(record)]])),
    new Map(state.holds.map((hold) => [hold.no, [modelSums(hold), modelHistory(hold)]])),
  );
  for (const { events } of records) {
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1),
      "events are numbered without a gap",
    );
  }
  const expected = [...state.accounts].map(([no, { balance, status }]) => {
    return [no, { balance, held: heldOn(state, no), status }] as const;
  });
  assert.deepEqual(await readBalances(client, [...state.accounts.keys()]), new Map(expected));
}

function modelSums(hold: ModelHold): HoldSums {
  return {
    held: hold.held,
    captured: captured(hold),
    voided: sum(hold.releases),
    expired: hold.released,
    refunded: refunded(hold),
    remaining: unreleased(hold),
    isOpen: unreleased(hold) > 0n,
    counts: [hold.captures.length, hold.voidCalls, hold.refundCalls],
    expiresAt: hold.expiresAt,
  };
}

/** History of the model's hold, as its record has it. */
export function modelHistory(hold: ModelHold): HoldHistory {
  return {
    captures: hold.captures.map((one) => ({
      no: one.no,
      amount: one.amount,
      refunded: refundedOf(one),
      refunds: one.refunds,
    })),
    releases: hold.releases,
    released: hold.released,
    refunded: refunded(hold),
  };
}
