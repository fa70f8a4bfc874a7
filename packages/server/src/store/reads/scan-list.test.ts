import assert from "node:assert/strict";
import { test } from "node:test";
import { idAt, timeOf } from "../../basics/ids.ts";
import { idRangeOf, type ListPage, scanList } from "./scan-list.ts";

const clock = { now: () => 9_000_000_000, real: () => 9_000_000_000 };

const hourOf = (id: string) => Math.floor(timeOf(id) / 3_600_000);

/** Rows of a table, one each hour from 1970 on, of which every tenth is of partner A. */
function table(rows: number) {
  const at = (position: number) => position * 3_600_000;
  const ids = Array.from({ length: rows }, (_, position) => idAt(at(position) + 1));
  const reads: number[] = [];
  const list = (page: Omit<ListPage, "before" | "after">, cursor?: string) =>
    scanList(page, idRangeOf(page, cursor, clock), {
      read: async (start, size) => {
        reads.push(size);
        const beyond = page.isOldestFirst
          ? ids.filter((id) => id > start)
          : ids.filter((id) => id < start).toReversed();
        return beyond.slice(0, size);
      },
      idOf: (id) => id,
      factsOf: (id) => {
        const position = hourOf(id);
        const partnerId = position % 10 === 0 ? "A" : "B";
        return { partnerId, at: timeOf(id), amount: BigInt(position), scale: position % 2 === 0 ? 0 : 2 };
      },
    });
  const all = async (page: Omit<ListPage, "before" | "after">) => {
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const { rows: ofPage, next } = await list(page, cursor);
      assert.ok(ofPage.length <= page.limit);
      found.push(...ofPage.map(hourOf));
      cursor = next;
    } while (cursor !== undefined);
    return found;
  };
  return { list, all, reads };
}

test("pages of both orders have every row that fits once, and the last says that it is the last", async () => {
  const { all } = table(2_500);
  const ofA = Array.from({ length: 250 }, (_, position) => position * 10);
  assert.deepEqual(await all({ limit: 50, filter: { partnerId: "A" }, isOldestFirst: true }), ofA);
  assert.deepEqual(await all({ limit: 7, filter: { partnerId: "A" } }), ofA.toReversed());
  assert.equal((await all({ limit: 1_000 })).length, 2_500);
  assert.equal((await table(50).list({ limit: 50 })).next, undefined);
});

test("a page reads 20,000 rows at most, and the next one goes on behind them", async () => {
  const { list, all, reads } = table(45_000);
  const { rows, next, count } = await list({ limit: 50, filter: { partnerId: "C" }, isCounted: true });
  assert.deepEqual([rows, count, hourOf(next ?? "")], [[], { rows: 0, isExact: false }, 25_000]);
  assert.equal(
    reads.reduce((sum, size) => sum + size, 0),
    20_000,
  );
  assert.deepEqual(await all({ limit: 50, filter: { partnerId: "C" } }), []);
});

test("rows that fit are counted up to 1,000", async () => {
  const { list } = table(12_000);
  const countOf = async (page: Omit<ListPage, "before" | "after">) => (await list({ ...page, isCounted: true })).count;
  assert.deepEqual(await countOf({ limit: 5 }), { rows: 1_000, isExact: false });
  assert.deepEqual(await countOf({ limit: 5, filter: { partnerId: "A" } }), { rows: 1_000, isExact: false });
  assert.deepEqual(await countOf({ limit: 5, filter: { to: 36_000_000 } }), { rows: 10, isExact: true });
  assert.equal((await list({ limit: 5 })).count, undefined);
});

test("days are those of business time, also of rows that were made before the clock was moved", async () => {
  const { list, all, reads } = table(5_000);
  const filter = { from: 3_600_000 * 1_000, to: 3_600_000 * 1_003 };
  assert.deepEqual(await all({ limit: 50, filter }), [1_002, 1_001, 1_000]);
  assert.deepEqual(await all({ limit: 50, filter, isOldestFirst: true }), [1_000, 1_001, 1_002]);
  assert.ok(reads.length <= 4, "nothing is read beyond the days");
  assert.equal((await list({ limit: 1, filter })).rows.length, 1);
  const moved = { now: () => clock.real() + 86_400_000, real: clock.real };
  const { start, isBeyond } = idRangeOf({ filter }, undefined, moved);
  assert.ok(start > idAt(filter.to) && isBeyond?.(idAt(filter.from - 86_400_000)) === false);
  assert.equal(isBeyond?.(idAt(filter.from - 90_000_000)), true);
});

test("amounts are compared as decimals, whatever the decimals of their currencies", async () => {
  const { all } = table(60);
  assert.deepEqual(await all({ limit: 50, filter: { minimum: "0.5", maximum: "3" } }), [59, 57, 55, 53, 51, 2]);
  assert.deepEqual(await all({ limit: 50, filter: { minimum: "58.0000" } }), [58]);
});
