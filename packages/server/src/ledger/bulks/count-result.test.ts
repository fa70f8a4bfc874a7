// A bulk counts the results of its items: whatever their order, they add up, and it ends once, with its last result.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bulkProgress } from "../../rails/commands/bulk-progress.ts";
import { minor } from "../money.ts";
import type { TransferState } from "../transfers/states.ts";
import { acceptTransfer, type RailTransfer } from "../transfers/transfer.ts";
import { type Bulk, newBulk, openCount } from "./bulk.ts";
import { bulkStatus } from "./status.ts";

const itemOf = (amount: bigint, position: number): RailTransfer =>
  acceptTransfer({
    id: `item ${position}`,
    partner: "p",
    service: 20,
    rail: "interbank",
    source: "s",
    currency: "IDR",
    bulk: "b",
    sentAmount: minor(amount),
    fee: minor(amount / 10n),
    suspensePart: 7,
    dailyLimitAmount: minor(amount),
    businessDate: 1,
    at: 0,
  });

const bulkOf = (items: readonly RailTransfer[]): Bulk =>
  newBulk({
    id: "b",
    partner: "p",
    source: "s",
    currency: "IDR",
    itemCount: items.length,
    amount: minor(items.reduce((sum, { dailyLimitAmount }) => sum + dailyLimitAmount, 0n)),
    fee: minor(items.reduce((sum, { fee }) => sum + fee, 0n)),
    at: 0,
  });

interface Result {
  readonly item: RailTransfer;
  readonly state: TransferState;
}

/** All results of some items in any order, a return somewhere behind its settlement. */
const anyHistory = fc
  .array(
    fc.record({
      amount: fc.bigInt(1n, 1_000n),
      end: fc.constantFrom("settled", "rejected", "returned"),
      at: fc.integer(),
      later: fc.nat(),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((ends) => {
    const timed = ends.flatMap(({ amount, end, at, later }, position): (Result & { readonly at: number })[] => {
      const item = itemOf(amount, position);
      const first = { item, state: end === "rejected" ? end : "settled", at } as const;
      return end === "returned" ? [first, { item, state: end, at: at + later }] : [first];
    });
    return timed.toSorted((a, b) => a.at - b.at);
  });

const sumOf = (results: readonly Result[], part: "dailyLimitAmount" | "fee") =>
  results.reduce((sum, { item }) => sum + item[part], 0n);

test("any order of results and returns: counts and sums are those of the results so far, and the end comes once", () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const items = [...new Set(history.map(({ item }) => item))];
      let bulk = bulkOf(items);
      const notified: string[] = [];
      for (const [now, { item, state }] of history.entries()) {
        const progress = bulkProgress(bulk, { ...item, state }, now, "event");
        [bulk] = progress.bulks as [Bulk];
        notified.push(...progress.notifications.map(({ status }) => `${now} ${status}`));
        const so = history.slice(0, now + 1);
        const of = (wanted: TransferState) => so.filter((one) => one.state === wanted);
        const [settled, rejected, returned] = [of("settled"), of("rejected"), of("returned")];
        const open = items.length - settled.length - rejected.length;
        assert.deepEqual(
          [bulk.settledCount, bulk.rejectedCount, bulk.returnedCount, openCount(bulk)],
          [settled.length, rejected.length, returned.length, open],
        );
        assert.deepEqual(
          [bulk.rejectedAmount, bulk.rejectedFee],
          [sumOf(rejected, "dailyLimitAmount"), sumOf(rejected, "fee")],
        );
        const firstEnd = history.findLastIndex((one) => one.state !== "returned");
        assert.equal(bulk.endedAt, now < firstEnd ? undefined : firstEnd);
        const left = settled.length - returned.length;
        assert.deepEqual(bulkStatus(bulk), {
          status: open > 0 ? "03" : settled.length > 0 ? "00" : "06",
          description: `Settled ${left} of ${items.length}`,
        });
      }
      const { endedAt } = bulk;
      assert.deepEqual(
        notified.map((one) => one.split(" ")[0]),
        [String(endedAt)],
      );
    }),
  );
});

test("states that are no result change nothing: submitted, pending, withdrawn", () => {
  const item = itemOf(100n, 0);
  for (const state of ["queued", "submitted", "pending"] as const) {
    assert.deepEqual(bulkProgress(bulkOf([item]), { ...item, state }, 1, "event"), { bulks: [], notifications: [] });
  }
});

test("the end is notified with the bulk's status; a result without its bulk is a fault", () => {
  const item = itemOf(100n, 0);
  const bulk = bulkOf([item]);
  for (const [state, status] of [
    ["settled", "00"],
    ["rejected", "06"],
  ] as const) {
    const { notifications } = bulkProgress(bulk, { ...item, state }, 5, "event");
    assert.deepEqual(notifications, [{ id: "event", partner: "p", service: 21, subject: "b", status }]);
  }
  assert.throws(() => bulkProgress(undefined, { ...item, state: "settled" }, 5, "event"), /missing/);
});
