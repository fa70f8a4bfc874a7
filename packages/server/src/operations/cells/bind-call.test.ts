// Bindings as a write goes by them: which cell is asked, when an external id is bound anew, and keys of a time before its partner had several cells.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { testPartnerShares } from "../../../../../test/support/partner-shares.ts";
import { newId } from "../../basics/ids.ts";
import type { Call, Reply } from "../../interfaces/call.ts";
import type { PartnerCell } from "../../ledger/reference/reference-data.ts";
import { noRepeat } from "../repeat-only.ts";
import { bindCall, silentCell } from "./bind-call.ts";
import type { Binding, KeyBinder } from "./key-binder.ts";
import { keysOfCall } from "./keys-of-call.ts";

const hour = 3_600_000;
const keepExternalIdsMs = 7 * 24 * hour;
const now = 100 * keepExternalIdsMs;
const call = {
  operation: operations.interbankTransfer,
  partner: { key: newId() },
  externalId: newId(),
  request: { partnerReferenceNo: "A1", sourceAccountNo: "1" },
} as unknown as Call;
const { externalId, numbers } = await keysOfCall(call);
const number = numbers[0]?.key ?? "";
const told: Reply = { case: "conflict", reason: "X-EXTERNAL-ID was used for another request" };

interface Given {
  /** Cell of the payer. Absent: 1. */
  readonly cell?: number;
  readonly cells?: readonly PartnerCell[];
  /** Bindings of before: cell and age (ms). */
  readonly bound?: Readonly<Record<string, readonly [cell: number, ageMs: number]>>;
  /** Replies to the question for a repeat, by cell; null: the cell is silent. */
  readonly repeats?: Readonly<Record<number, Reply | null>>;
  /** Keys that requests of the first cell have. */
  readonly taken?: readonly string[];
  /** Its binding was deleted while it was looked at. */
  readonly missing?: string;
  /** Another call is faster than this one with its first attempts to bind the external id anew. */
  readonly fasterCalls?: number;
}

async function decided({ cell = 1, cells = [{ cell: 0 }, { cell: 1 }], bound = {}, ...given }: Given) {
  const { repeats = {}, taken = [], fasterCalls = 0 } = given;
  const rows = new Map<string, Binding>(
    Object.entries(bound).map(([key, [at, ageMs]]) => [key, { key, cell: at, boundAt: now - ageMs }]),
  );
  const asked: number[] = [];
  const looked: (readonly string[])[] = [];
  let faster = fasterCalls;
  const binder: KeyBinder = {
    bind: async (wanted) => {
      for (const one of wanted) if (!rows.has(one.key)) rows.set(one.key, one);
      return new Map([...rows].filter(([key]) => key !== given.missing));
    },
    read: async () => new Map(rows),
    rebind: async (from, to) => {
      faster -= 1;
      if (faster >= 0) return false;
      rows.set(from.key, { key: from.key, ...to });
      return true;
    },
  };
  const reply = await bindCall(
    {
      binder,
      clock: { now: () => now },
      keepExternalIdsMs,
      cell: (at) =>
        repeats[at] === null
          ? undefined
          : {
              tellRepeat: async () => {
                asked.push(at);
                return repeats[at] ?? noRepeat;
              },
              reads: {
                findTakenKeys: async (keys) => {
                  looked.push(keys);
                  return keys.filter((key) => taken.includes(key));
                },
              },
              readShares: testPartnerShares(),
            },
    },
    call,
    { cell, cells },
  );
  const cellOf = (key: string) => rows.get(key)?.cell;
  return { reply: reply?.case, asked, looked, cells: [cellOf(externalId), cellOf(number)], rows };
}

test("keys that nobody has are the payer's cell's, which decides", async () => {
  assert.deepEqual((await decided({})).cells, [1, 1]);
  assert.equal((await decided({})).reply, undefined);
});

test("the cell of the external id is asked first, then that of the number; without a repeat the key is taken", async () => {
  const byBoth = await decided({ bound: { [externalId]: [0, 0], [number]: [2, 0] } });
  assert.deepEqual([byBoth.asked, byBoth.reply], [[0, 2], "conflict"]);
  const byNumber = await decided({ bound: { [number]: [0, 0] } });
  assert.deepEqual([byNumber.asked, byNumber.reply], [[1, 0], "inconsistentRequest"]);
  const first = await decided({ bound: { [number]: [0, 0] }, repeats: { 1: told } });
  assert.deepEqual([first.asked, first.reply], [[1], "conflict"]);
});

test("a key without a binding is nobody's: nothing is decided", async () => {
  assert.equal((await decided({ missing: number })).reply, silentCell.case);
});

test("while a cell that has a key is silent nothing is said", async () => {
  assert.equal((await decided({ bound: { [number]: [0, 0] }, repeats: { 0: null } })).reply, silentCell.case);
});

test("an external id is bound anew once its time is over and its cell knows no repeat", async () => {
  const early = await decided({ bound: { [externalId]: [0, keepExternalIdsMs - 1] } });
  assert.deepEqual([early.reply, early.cells], ["conflict", [0, 1]]);
  const over = { [externalId]: [0, keepExternalIdsMs] } as const;
  const free = await decided({ bound: over });
  assert.deepEqual([free.reply, free.asked, free.cells], [undefined, [0], [1, 1]]);
  assert.equal(free.rows.get(externalId)?.boundAt, now);
  const pending = await decided({ bound: over, repeats: { 0: told } });
  assert.deepEqual([pending.reply, pending.cells], ["conflict", [0, 1]]);
  const silent = await decided({ bound: over, repeats: { 0: null } });
  assert.deepEqual([silent.reply, silent.cells], [silentCell.case, [0, 1]]);
});

test("of its own cell it is renewed before it is used, half a day before anybody may give it to another", async () => {
  const renewed = await decided({ bound: { [externalId]: [1, 12 * hour] } });
  assert.deepEqual([renewed.reply, renewed.rows.get(externalId)?.boundAt], [undefined, now]);
  const young = await decided({ bound: { [externalId]: [1, 12 * hour - 1] } });
  assert.equal(young.rows.get(externalId)?.boundAt, now - 12 * hour + 1);
});

test("who finds that another was faster looks again, and not for ever", async () => {
  const bound = { [externalId]: [1, 12 * hour] } as const;
  assert.equal((await decided({ bound, fasterCalls: 2 })).reply, undefined);
  assert.equal((await decided({ bound, fasterCalls: 3 })).reply, silentCell.case);
});

const later: readonly PartnerCell[] = [{ cell: 0 }, { cell: 1, since: 1 }];

test("keys that were used while the partner had one cell alone are that cell's", async () => {
  const found = await decided({ cells: later, taken: [number] });
  assert.deepEqual([found.cells, found.looked], [[1, 0], [[externalId, number]]]);
  assert.deepEqual([found.asked, found.reply], [[1, 0], "inconsistentRequest"]);
  const known = await decided({ cells: later, bound: { [externalId]: [1, 0] }, taken: [number] });
  assert.deepEqual([known.cells, known.looked], [[1, 0], [[number]]]);
  const all = await decided({ cells: later, bound: { [externalId]: [1, 0], [number]: [1, 0] } });
  assert.deepEqual(all.looked, []);
  assert.equal((await decided({ cells: later, repeats: { 0: null } })).reply, silentCell.case);
});

test("nothing is looked up for its first cell, nor for a partner that had several from the beginning", async () => {
  assert.deepEqual((await decided({ cells: later, cell: 0 })).looked, []);
  const cells = [{ cell: 0 }, { cell: 2 }, { cell: 1, since: 1 }];
  assert.deepEqual((await decided({ cells })).looked, []);
});

test("keys of a bulk are its own number's and its items', without one its items' alone", async () => {
  const items = [{ partnerReferenceNo: "A" }, { partnerReferenceNo: "B" }];
  const bulk = (more: object) =>
    keysOfCall({
      ...call,
      operation: operations.interbankBulkTransfer,
      request: { bulkObject: items, ...more },
    });
  const [named, unnamed] = [await bulk({ partnerBulkId: "A" }), await bulk({})];
  assert.deepEqual(
    named.numbers.map(({ field }) => field),
    [undefined, "bulkObject[0].partnerReferenceNo", "bulkObject[1].partnerReferenceNo"],
  );
  assert.deepEqual(named.numbers.slice(1), unnamed.numbers);
  assert.notEqual(named.numbers[0]?.key, unnamed.numbers[0]?.key);
});
