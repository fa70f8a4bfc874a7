// Calls of a node with several cells: where they go, and the answer while one is silent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationName, operations } from "@titian/contract";
import { referenceWith } from "../../../../../test/engine/transfers.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import type { Call, Reply } from "../../interfaces/call.ts";
import { createClock } from "../../basics/clock.ts";
import { noRepeat } from "../repeat-only.ts";
import type { KeyBinder } from "./key-binder.ts";
import { newestOf } from "./newest-reply.ts";
import type { Placed } from "./place-call.ts";
import { routeCalls, type ServedCell } from "./route-calls.ts";

/** No key was used before. */
const freeBinder: KeyBinder = {
  bind: async (_partner, wanted) => new Map(wanted.map((one) => [one.key, one])),
  read: async () => new Map(),
  rebind: async () => true,
};
const bindTo =
  (cell: number): KeyBinder["bind"] =>
  async (_partner, wanted) =>
    new Map(wanted.map((one) => [one.key, { ...one, cell }]));
const partner = { key: newId() } as Call["partner"];
const notFound: Reply = { case: "transactionNotFound" };
const accepted = (paidTime: string, isFinal = false): Reply => ({
  case: "success",
  isFinal,
  fields: { originalReferenceNo: "X", latestTransactionStatus: "04", paidTime },
});
const rejected: Reply = { case: "success", fields: { latestTransactionStatus: "06" } };

interface Given {
  /** Reply of each cell; undefined: it is silent. */
  readonly replies: readonly (Reply | Promise<Reply> | undefined)[];
  /** Cell that has the hold of a refund. */
  readonly holdIn?: number;
  /** Cells that answer inquiries alone. */
  readonly forgetful?: readonly number[];
  /** Cell that the keys of each call are bound to, and whose requests have them. */
  readonly boundTo?: number;
}

function routed({ replies, holdIn, forgetful = [], boundTo }: Given, name: Placed) {
  const called: number[] = [];
  const cells = replies.map((reply, cell): ServedCell | undefined => {
    if (reply === undefined) return undefined;
    const handler = async () => {
      called.push(cell);
      return reply;
    };
    const look = async (keys: readonly string[]) => ({ ofRequests: cell === boundTo ? keys : [], fenced: [] });
    return {
      handlers: { [name]: handler } as unknown as ServedCell["handlers"],
      across: {},
      repeats: { [name]: async () => noRepeat } as unknown as ServedCell["repeats"],
      reads: {
        findAcceptedRequest: async () => (holdIn === cell ? ({} as never) : undefined),
        findAccountByNumber: async () => undefined,
        findTakenKeys: async () => [],
      },
      fences: { read: look, take: look },
      takesWrites: () => !forgetful.includes(cell),
      readShares: { hasCapacity: () => true, run: (_partner: string, work: () => Promise<unknown>) => work() } as never,
    };
  });
  const directory = {
    cellOf: (accountNo: string) => Number(accountNo[0]),
    cells: replies.map((_reply, cell) => cell),
    moved: new Map(),
    moving: new Map(),
    since: Date.now() - 1_000,
  };
  const all = replies.length > 1 && { cells: replies.map((_reply, cell) => ({ cell })) };
  const partners = new Map([[partner.key, { key: partner.key, partnerId: "SHOP", status: "active" as const, ...all }]]);
  const deps = {
    reference: () => ({ ...referenceWith(1), directory, partners }),
    cell: (number: number) => cells[number],
    binder: boundTo === undefined ? freeBinder : { ...freeBinder, bind: bindTo(boundTo) },
    clock: createClock(),
    keepExternalIdsMs: 86_400_000,
  };
  const { [name]: handle } = routeCalls(deps, [name]);
  const call = async (request: Call["request"]) => {
    const { case: result, fields } = await handle({
      operation: operations[name as OperationName],
      partner,
      externalId: newId(),
      request,
    } as unknown as Call);
    return { result, called: [...called], fields };
  };
  return { call };
}

const ofPartner = { originalPartnerReferenceNo: "A" };

test("a write goes to the cell of its payer alone", async () => {
  const { call } = routed({ replies: [rejected, { case: "success" }] }, "interbankTransfer");
  assert.deepEqual((await call({ sourceAccountNo: "1" })).called, [1]);
});

test("a write of a cell that is silent is not taken, and may be sent again", async () => {
  const { call } = routed({ replies: [notFound, undefined] }, "interbankTransfer");
  assert.deepEqual(await call({ sourceAccountNo: "1" }), {
    result: "serviceUnavailable",
    called: [],
    fields: undefined,
  });
});

test("an inquiry by our number about a cell that is silent has an unknown outcome", async () => {
  const { call } = routed({ replies: [notFound, undefined] }, "statusInquiryBank");
  const asked = await call({ originalReferenceNo: toReferenceNo(newId(1)) });
  assert.equal(asked.result, "generalError");
});

test("an inquiry by the partner's number asks all cells, and what was accepted wins", async () => {
  const { call } = routed({ replies: [rejected, accepted("2026-11-27T10:00:00+07:00"), notFound] }, "authPaymentQuery");
  const { fields, called } = await call(ofPartner);
  assert.deepEqual([fields?.["latestTransactionStatus"], called], ["04", [0, 1, 2]]);
});

for (const [name, reply] of [
  ["not found", notFound],
  ["a rejection", rejected],
  ["what may still change", accepted("2026-11-27T10:00:00+07:00")],
] as const) {
  test(`with a silent cell ${name} is not told`, async () => {
    const { call } = routed({ replies: [reply, undefined] }, "authPaymentQuery");
    assert.equal((await call(ofPartner)).result, "generalError");
  });
}

test("with a silent cell what is final is told", async () => {
  const { call } = routed({ replies: [accepted("2026-11-27T10:00:00+07:00", true), undefined] }, "authPaymentQuery");
  assert.equal((await call(ofPartner)).result, "success");
});

test("a cell whose reads are turned away is silent", async () => {
  const { call } = routed({ replies: [notFound, { case: "serviceUnavailable" }] }, "authPaymentQuery");
  assert.equal((await call(ofPartner)).result, "generalError");
});

test("a refund by the partner's number goes to the cell of its hold; without a hold it is rejected in home", async () => {
  const found = routed({ replies: [notFound, accepted(""), notFound], holdIn: 1 }, "authRefund");
  assert.deepEqual((await found.call(ofPartner)).called, [1]);
  const none = routed({ replies: [notFound, accepted("")] }, "authRefund");
  assert.deepEqual((await none.call(ofPartner)).called, [0]);
});

test("a refund whose hold may be in a cell that is silent is not taken", async () => {
  const { call } = routed({ replies: [notFound, undefined] }, "authRefund");
  assert.equal((await call(ofPartner)).result, "serviceUnavailable");
});

test("a cell that may have forgotten payments takes no write, says of no key that it has no repeat, and of no hold that there is none", async () => {
  const pay = { sourceAccountNo: "1" };
  const own = routed({ replies: [notFound, accepted("")], forgetful: [1] }, "interbankTransfer");
  assert.deepEqual(await own.call(pay), { result: "serviceUnavailable", called: [], fields: undefined });
  assert.deepEqual((await own.call({ sourceAccountNo: "0" })).called, [0]);
  const bound = { replies: [accepted(""), accepted("")], boundTo: 1 };
  const taken = routed(bound, "interbankTransfer");
  assert.equal((await taken.call({ sourceAccountNo: "0" })).result, "conflict");
  const unknown = routed({ ...bound, forgetful: [1] }, "interbankTransfer");
  assert.equal((await unknown.call({ sourceAccountNo: "0" })).result, "serviceUnavailable");
  const hold = { replies: [notFound, accepted("")], forgetful: [1] };
  assert.equal((await routed(hold, "authRefund").call(ofPartner)).result, "serviceUnavailable");
});

test("while home lists no cell all calls are home's", async () => {
  const { call } = routed({ replies: [accepted("")] }, "interbankTransfer");
  assert.deepEqual((await call({ sourceAccountNo: "0" })).called, [0]);
});

test("a cell that does not answer keeps no caller waiting: what is final is told at once, else nothing is", async () => {
  const never = new Promise<Reply>(() => undefined);
  const { call } = routed({ replies: [accepted("", true), never] }, "statusInquiryBank");
  const begun = performance.now();
  assert.equal((await call(ofPartner)).result, "success");
  assert.ok(performance.now() - begun < 1_500);
  const other = routed({ replies: [notFound, never] }, "statusInquiryBank");
  assert.equal((await other.call(ofPartner)).result, "generalError");
});

test("of two holds the newer one is told", () => {
  const newer = accepted("2026-11-27T10:00:01+07:00");
  assert.equal(newestOf([accepted("2026-11-27T10:00:00+07:00"), newer]), newer);
});
