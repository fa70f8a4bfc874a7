// Bindings as a write goes by them: which cells are asked, when keys are bound anew, and keys of a time before its partner had several cells.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { testPartnerShares } from "../../../../../test/support/partner-shares.ts";
import { newId } from "../../basics/ids.ts";
import type { Call, Reply } from "../../interfaces/call.ts";
import type { PartnerCell } from "../../ledger/reference/reference-data.ts";
import { noRepeat } from "../repeat-only.ts";
import { bindCall } from "./bind-call.ts";
import { type KeyFences, silentCell } from "./judge-keys.ts";
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
const rejected: Reply = { case: "insufficientFunds" };

interface Given {
  /** Cell of the payer. Absent: 1. */
  readonly cell?: number;
  readonly cells?: readonly PartnerCell[];
  /** Bindings of before: cell, age (ms), and the cell of before. */
  readonly bound?: Readonly<Record<string, readonly [cell: number, ageMs: number, previous?: number]>>;
  /** Replies to the question for a repeat, by cell, one each time; null: the cell is silent. */
  readonly repeats?: Readonly<Record<number, Reply | readonly Reply[] | null>>;
  /** Keys that requests of the first cell have. */
  readonly taken?: readonly string[];
  /** By cell, what its requests have, what is fenced there, and what a request takes just before it can be fenced. */
  readonly has?: Readonly<
    Record<number, { requests?: readonly string[]; fences?: readonly string[]; late?: readonly string[] }>
  >;
  /** Cells whose database does not answer. */
  readonly lost?: readonly number[];
  /** Keys that their requests give up just before they can be fenced. */
  readonly givenUp?: readonly string[];
  /** Its binding was deleted while it was looked at. */
  readonly missing?: string;
  /** Another call is faster than this one with its first attempts to bind a key anew. */
  readonly fasterCalls?: number;
}

async function decided({ cell = 1, cells = [{ cell: 0 }, { cell: 1 }], bound = {}, ...given }: Given) {
  const { repeats = {}, taken = [], has = {}, lost = [], givenUp = [], fasterCalls = 0 } = given;
  const rows = new Map<string, Binding>(
    Object.entries(bound).map(([key, [at, ageMs, previous]]) => [
      key,
      { key, cell: at, boundAt: now - ageMs, ...(previous !== undefined && { previous }) },
    ]),
  );
  const asked: number[] = [];
  /** Keys that were looked at, fenced and bound anew, in that order. */
  const steps: string[] = [];
  const looked: (readonly string[])[] = [];
  let faster = fasterCalls;
  const binder: KeyBinder = {
    bind: async (_partner, wanted) => {
      for (const one of wanted) if (!rows.has(one.key)) rows.set(one.key, one);
      return new Map([...rows].filter(([key]) => key !== given.missing));
    },
    read: async () => new Map(rows),
    rebind: async (_partner, from, to) => {
      faster -= 1;
      if (faster >= 0) return false;
      steps.push(`rebind ${from.length}`);
      for (const one of from) rows.set(one.key, { key: one.key, ...to, previous: one.cell });
      return true;
    },
  };
  const fencesOf = (at: number): KeyFences => {
    const holders = (step: string) => async (keys: readonly string[]) => {
      if (lost.includes(at)) throw new Error("it does not answer");
      steps.push(`${step} ${keys.length} in ${at}`);
      const { requests = [], fences = [], late = [] } = has[at] ?? {};
      const isOf = (of: readonly string[]) => keys.filter((key) => of.includes(key));
      if (step === "read") return { ofRequests: isOf(requests), fenced: isOf(fences) };
      const ofRequests = isOf([...requests, ...late]);
      return { ofRequests, fenced: keys.filter((key) => ![...ofRequests, ...givenUp].includes(key)) };
    };
    return { read: holders("read"), take: holders("take") };
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
                const replies = [repeats[at] ?? noRepeat].flat();
                return replies[asked.filter((one) => one === at).length - 1] ?? replies.at(-1) ?? noRepeat;
              },
              reads: {
                findTakenKeys: async (keys) => {
                  looked.push(keys);
                  return keys.filter((key) => taken.includes(key));
                },
              },
              readShares: testPartnerShares(),
              fences: fencesOf(at),
            },
    },
    call,
    { cell, cells },
  );
  const cellOf = (key: string) => rows.get(key)?.cell;
  return { reply: reply?.case, asked, steps, looked, cells: [cellOf(externalId), cellOf(number)], rows };
}

test("keys that nobody has are the payer's cell's, which decides", async () => {
  assert.deepEqual((await decided({})).cells, [1, 1]);
  assert.equal((await decided({})).reply, undefined);
});

test("the cell of the external id is asked first, then that of the number", async () => {
  const byBoth = await decided({ bound: { [externalId]: [0, 0], [number]: [2, 0] }, repeats: { 2: told } });
  assert.deepEqual([byBoth.asked, byBoth.reply, byBoth.steps], [[0, 2], "conflict", []]);
  const first = await decided({ bound: { [number]: [0, 0] }, repeats: { 1: told } });
  assert.deepEqual([first.asked, first.reply], [[1], "conflict"]);
});

test("a repeat counts before rejections, and of those that of the cell of before", async () => {
  const bound = { [externalId]: [0, 0], [number]: [2, 0] } as const;
  assert.equal((await decided({ bound, repeats: { 0: rejected, 2: told } })).reply, "conflict");
  assert.equal((await decided({ bound, repeats: { 0: rejected, 2: null } })).reply, silentCell.case);
  const before = await decided({
    bound: { [externalId]: [1, 0, 0] },
    repeats: { 1: rejected, 0: { case: "invalidAccount" } },
  });
  assert.deepEqual([before.asked, before.reply], [[1, 0], "invalidAccount"]);
  const busy: Reply = { case: "serviceUnavailable" };
  assert.equal((await decided({ bound, repeats: { 0: busy, 2: told } })).reply, "serviceUnavailable");
});

test("keys for which other cells have nothing are fenced there, then bound to the payer's, and those cells are asked once more", async () => {
  const byBoth = await decided({ bound: { [externalId]: [0, 0], [number]: [2, 0] } });
  assert.deepEqual([byBoth.reply, byBoth.cells, byBoth.asked], [undefined, [1, 1], [0, 2, 0, 2]]);
  const looks = ["read 2 in 1", "read 1 in 0", "read 1 in 2", "take 1 in 0", "take 1 in 2"];
  assert.deepEqual(byBoth.steps, [...looks, "rebind 2"]);
  const late = await decided({ bound: { [number]: [0, 0] }, repeats: { 0: [noRepeat, rejected] } });
  assert.deepEqual([late.reply, late.asked], ["insufficientFunds", [1, 0, 0]]);
});

test("a key that a request has is taken, and nothing is fenced; one that has it by then tells its repeat", async () => {
  const bound = { [externalId]: [0, 0], [number]: [2, 0] } as const;
  const used = await decided({ bound, has: { 2: { requests: [number] } } });
  assert.deepEqual([used.reply, used.cells], ["inconsistentRequest", [0, 2]]);
  assert.ok(!used.steps.some((step) => step.startsWith("take")));
  const late = await decided({ bound, has: { 0: { late: [externalId] } }, repeats: { 0: [noRepeat, told] } });
  assert.deepEqual([late.reply, late.cells], ["conflict", [0, 2]]);
  const open = await decided({ bound, has: { 0: { late: [externalId] } } });
  assert.deepEqual([open.reply, open.cells], ["conflict", [0, 2]]);
});

test("a cell never gets back a key that it has given up", async () => {
  const back = await decided({ bound: { [number]: [0, 0] }, has: { 1: { fences: [number] } } });
  assert.deepEqual([back.reply, back.cells, back.steps], ["inconsistentRequest", [1, 0], ["read 1 in 1"]]);
});

test("while one of the cells does not answer, or has not fenced all, nothing is bound anew", async () => {
  const free = await decided({ bound: { [externalId]: [0, 0] }, givenUp: [externalId] });
  assert.deepEqual([free.reply, free.cells], [silentCell.case, [0, 1]]);
  for (const lost of [0, 1]) {
    const silent = await decided({ bound: { [number]: [0, 0] }, lost: [lost] });
    assert.deepEqual([silent.reply, silent.cells], [silentCell.case, [1, 0]]);
  }
});

test("for half a day the cell of before is asked, too, and the key stays", async () => {
  const at = (ageMs: number, cell = 1, repeats = {}) => decided({ cell, repeats, bound: { [number]: [1, ageMs, 0] } });
  const young = await at(12 * hour - 1);
  assert.deepEqual([young.reply, young.asked], [undefined, [1, 0]]);
  assert.equal((await at(0, 1, { 0: rejected })).reply, "insufficientFunds");
  assert.equal((await at(0, 1, { 0: null })).reply, silentCell.case);
  assert.deepEqual((await at(12 * hour)).asked, []);
  const elsewhere = await at(12 * hour - 1, 2);
  assert.deepEqual([elsewhere.reply, elsewhere.asked, elsewhere.steps], ["inconsistentRequest", [2, 1, 0], []]);
  assert.deepEqual((await at(12 * hour, 2)).cells, [2, 2]);
});

test("a key without a binding is nobody's: nothing is decided", async () => {
  assert.equal((await decided({ missing: number })).reply, silentCell.case);
});

test("while a cell that has a key is silent nothing is said", async () => {
  assert.equal((await decided({ bound: { [number]: [0, 0] }, repeats: { 0: null } })).reply, silentCell.case);
});

test("an external id whose time is over is bound anew whatever has it, unless its cell tells a repeat", async () => {
  const has = { 0: { requests: [externalId] } };
  const early = await decided({ bound: { [externalId]: [0, keepExternalIdsMs - 1] }, has });
  assert.deepEqual([early.reply, early.cells], ["conflict", [0, 1]]);
  const over = { [externalId]: [0, keepExternalIdsMs] } as const;
  const free = await decided({ bound: over, has });
  assert.deepEqual([free.reply, free.asked, free.cells], [undefined, [0, 1], [1, 1]]);
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
  for (const bound of [{ [externalId]: [1, 12 * hour] }, { [number]: [0, 0] }] as const) {
    assert.equal((await decided({ bound, fasterCalls: 2 })).reply, undefined);
    assert.equal((await decided({ bound, fasterCalls: 3 })).reply, silentCell.case);
  }
});

const later: readonly PartnerCell[] = [{ cell: 0 }, { cell: 1, since: 1 }];

test("keys that were used while the partner had one cell alone are that cell's", async () => {
  const has = { 0: { requests: [number] } };
  const found = await decided({ cells: later, taken: [number], has });
  assert.deepEqual([found.cells, found.looked], [[1, 0], [[externalId, number]]]);
  assert.deepEqual([found.asked, found.reply], [[1, 0, 0], "inconsistentRequest"]);
  const known = await decided({ cells: later, bound: { [externalId]: [1, 0] }, taken: [number], has });
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
