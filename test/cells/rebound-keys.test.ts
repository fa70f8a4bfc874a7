// Keys that are bound to another cell at once with a late call in the one before: each is one payment, and none is lost.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@titian/contract";
import { compareKeys } from "../../packages/server/src/admin/audit/compare-keys.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createFences } from "../../packages/server/src/compose/cells/fences.ts";
import type { Call, Reply } from "../../packages/server/src/interfaces/call.ts";
import { bindCall } from "../../packages/server/src/operations/cells/bind-call.ts";
import type { KeyFences } from "../../packages/server/src/operations/cells/judge-keys.ts";
import { createKeyBinder } from "../../packages/server/src/operations/cells/key-binder.ts";
import { keysOfCall } from "../../packages/server/src/operations/cells/keys-of-call.ts";
import { createHandlers } from "../../packages/server/src/operations/handlers.ts";
import { noRepeat } from "../../packages/server/src/operations/repeat-only.ts";
import { bindFreeKeys, readBoundKeys, rebindKeys } from "../../packages/server/src/store/tables/requests/bound-keys.ts";
import { fenceFreeKeys } from "../../packages/server/src/store/tables/requests/request-keys.ts";
import { callOf, startNode, type TestNode, writeDepsOf } from "../support/administration.ts";
import { bulkBody, bulkItem } from "../support/black-box/bulks.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { transferBody } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { testPartnerShares } from "../support/partner-shares.ts";
import { newPartner } from "../support/partners.ts";
import { openIn } from "./cell-fixture.ts";

const [home, further] = [await useDatabase(), await useDatabase()];
// A call is late on a node of its own.
const [node, nodeOfLate, nodeOfCell] = [
  await startNode(home.url),
  await startNode(home.url),
  await startNode(further.url),
];
const { clock } = node;
const fencesIn = (cell: number, url: string) =>
  createFences({ cell, clock, database: { url } as never, replication: undefined });
const fences = [fencesIn(0, home.url), fencesIn(1, further.url)] as const;
after(async () => {
  for (const one of fences) await one[Symbol.asyncDispose]();
  for (const one of [node, nodeOfLate, nodeOfCell]) await one.close();
  await home.drop();
  await further.drop();
});
const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
await nodeOfLate.refresh();
const partner = node.reference.byPartnerId(partnerId);
assert.ok(partner);
const accountsOf = [
  ["100000000001", "100000000002"],
  ["510000000001", "510000000002"],
] as const;
for (const [cell, { url }] of [home, further].entries()) {
  for (const accountNo of accountsOf[cell] ?? []) await openIn(url, { accountNo, cell, partners: [key] });
}

const handlersOf = (of: TestNode, more = {}) =>
  createHandlers({
    ...writeDepsOf(of),
    reference: () => node.reference.current(),
    bulkShares: testPartnerShares(),
    ...more,
  } as unknown as Parameters<typeof createHandlers>[0]);
const decideLate = handlersOf(nodeOfLate).intrabankTransfer;
const decide = handlersOf(nodeOfCell, { cell: 1 }).intrabankTransfer;
/** Called before the keys are fenced: late calls of them begin then. */
const beginLate = new Map<string, () => void>();
const fencesOfHome: KeyFences = {
  ...fences[0],
  take: (keys) => {
    for (const one of keys) beginLate.get(one)?.();
    return fences[0].take(keys);
  },
};
const cells = [node, nodeOfCell].map((of, cell) => ({
  tellRepeat: handlersOf(of, { cell, isRepeatOnly: true }).intrabankTransfer,
  reads: { findTakenKeys: async () => [] },
  readShares: testPartnerShares(),
  fences: cell === 0 ? fencesOfHome : fences[1],
}));
const binder = createKeyBinder(
  {
    bind: (wanted) => bindFreeKeys(node.adminPool, wanted),
    read: (keys) => readBoundKeys(node.adminPool, keys),
    rebind: (from, to) => rebindKeys(node.adminPool, from, to),
  },
  { unavailable: assert.fail, bound: () => undefined },
  clock,
);

const operation = operations.intrabankTransfer;
const callIn = (cell: 0 | 1, partnerReferenceNo: string, externalId: string) => {
  const [from, to] = accountsOf[cell];
  return callOf(node, partner, { operation, request: transferBody({ from, to, partnerReferenceNo }), externalId });
};

/** Its keys are bound to home by the first of two calls, which comes late. `shared`: what the second has of it. */
async function pairOf(shared: "both" | "number" | "externalId") {
  const [number, externalId] = [newNumber(), newId()];
  const late = callIn(0, number, externalId);
  const keys = await keysOfCall(late);
  const all = [keys.externalId, ...keys.numbers.map((one) => one.key)];
  const atHome = all.map((one) => ({ key: one, cell: 0, boundAt: clock.now() }));
  await binder.bind(late.partner.key, atHome);
  const second = callIn(1, shared === "externalId" ? newNumber() : number, shared === "number" ? newId() : externalId);
  return { late, second, keys: all };
}

/** As a node decides it: until it is not answered 503. */
async function sendToCell(call: Call, tries = 20): Promise<Reply> {
  const deps = { binder, clock, keepExternalIdsMs: 604_800_000, cell: (at: number) => cells[at] };
  const bound = { cell: 1, cells: [{ cell: 0 }, { cell: 1 }] };
  const reply = (await bindCall(deps, call, bound)) ?? (await decide(call));
  return reply.case === "serviceUnavailable" && tries > 0 ? sendToCell(call, tries - 1) : reply;
}

const isTaken = (reply: Reply) => reply.case === "success";
const isRepeat = ({ case: name }: Reply) => /^(conflict|inconsistentRequest)$/.test(name);
const sharings = ["both", "number", "externalId"] as const;

for (const shared of sharings) {
  test(`a late call before and behind the binding to another cell: ${shared}`, async () => {
    const first = await pairOf(shared);
    assert.ok(isTaken(await decideLate(first.late)));
    assert.ok(isRepeat(await sendToCell(first.second)));
    // Decided on loaded rows, then on remembered ones.
    for (const _ of [1, 2]) {
      const behind = await pairOf(shared);
      assert.ok(isTaken(await sendToCell(behind.second)));
      assert.ok(isRepeat(await decideLate(behind.late)));
      assert.ok(isRepeat(await decideLate(behind.late)));
    }
  });
}

test("of a late call and one for another cell at once one is taken, and no key stands in two cells", async () => {
  const won = { late: 0, second: 0 };
  const race = async (at: number) => {
    const { late, second, keys } = await pairOf(sharings[at % 3] ?? "both");
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    for (const one of keys) beginLate.set(one, begin);
    const [ofLate, ofSecond] = await Promise.all([
      begun.then(() => (at % 2 === 0 ? undefined : sleep(at % 8))).then(() => decideLate(late)),
      sendToCell(second),
    ]);
    const answers = `${ofLate.case} ${ofSecond.case}`;
    assert.notEqual(isTaken(ofLate), isTaken(ofSecond), answers);
    assert.ok(isRepeat(ofLate) || isRepeat(ofSecond), answers);
    won[isTaken(ofLate) ? "late" : "second"] += 1;
  };
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(Array.from({ length: 45 }, (_none, at) => race(round + at)));
  }
  assert.ok(won.late > 0 && won.second > 0, JSON.stringify(won));
  const pools = new Map([node, nodeOfCell].map((of, cell) => [cell, of.reads]));
  assert.deepEqual(await compareKeys(pools, { keepExternalIdsMs: 604_800_000, onProgress: () => undefined }), []);
});

test("what died between the fence and the binding is finished by the next call, and takes nothing meanwhile", async () => {
  const { late, second, keys } = await pairOf("both");
  assert.deepEqual((await fences[0].take(keys)).fenced.toSorted(), keys.toSorted());
  assert.ok(isRepeat(await decideLate(late)));
  assert.ok(isTaken(await sendToCell(second)));
  assert.ok(isRepeat(await sendToCell({ ...second, signature: newId() })));
});

test("a number of a bulk's item that is fenced is taken, and no repeat", async () => {
  const request = bulkBody(accountsOf[0][0], [bulkItem(), bulkItem()]);
  const bulk = callOf(node, partner, { operation: operations.interbankBulkTransfer, request });
  const last = (await keysOfCall(bulk)).numbers.at(-1);
  await fences[0].take([last?.key ?? ""]);
  const { case: name, field } = await handlersOf(nodeOfLate).interbankBulkTransfer(bulk);
  assert.deepEqual([name, field], ["inconsistentRequest", last?.field]);
  assert.equal(await handlersOf(nodeOfLate, { isRepeatOnly: true }).interbankBulkTransfer(bulk), noRepeat);
});

test("an external id with a fence of long ago, which a request may take over, is not bound to another cell", async () => {
  const { late, second, keys } = await pairOf("externalId");
  await fenceFreeKeys(node.adminPool, keys.slice(0, 1), clock.now() - 86_400_001, 0);
  assert.equal((await sendToCell(second)).case, "conflict");
  assert.ok(isTaken(await decideLate(late)));
});

test("a number that was fenced long ago with the external id of a call is taken, and no repeat of the call", async () => {
  const { late, keys } = await pairOf("both");
  await fenceFreeKeys(node.adminPool, keys, clock.now() - 86_400_001, 0);
  assert.equal((await decideLate(late)).case, "inconsistentRequest");
});
