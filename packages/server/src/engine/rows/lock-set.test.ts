import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locks } from "./lock-order.ts";
import { lockSetOf, lockSetOfIds, withoutLocked } from "./lock-set.ts";

const commands = (locks: readonly Locks[]) => locks.map((one) => ({ locks: one }));
const locked = (...names: readonly string[]) =>
  new Map(names.map((name) => [name, { id: name, alias: undefined, lockedBy: "7" }]));

test("the lock set has the rows of all commands, each once and each in its kind", () => {
  const set = lockSetOf(
    commands([
      { accountNumbers: ["1", "2"], hold: { id: "h1" } },
      { accountNumbers: ["2"], accountIds: ["a"], actId: "act", transferId: "t", hold: { id: "h2", captures: {} } },
      { hold: { partnerReferenceKey: "k", captures: { named: "c" } }, transferId: "t" },
      { paymentRequestId: "p", bulkId: "b", openRequestsOf: { accountNo: "1", max: 9 } },
    ]),
  );
  assert.deepEqual(set, {
    accounts: { numbers: ["1", "2"], ids: ["a"] },
    acts: ["act"],
    accountParents: { ids: ["h1", "h2"], partnerReferenceKeys: ["k"] },
    whole: { ids: ["h2"], partnerReferenceKeys: [] },
    inPart: { ids: [], partnerReferenceKeys: ["k"] },
    captures: ["c"],
    transfers: ["t"],
    paymentRequests: ["p"],
    payersOfRequests: [{ accountNo: "1", max: 9 }],
    bulks: ["b"],
    newItems: [],
  });
});

test("a locked row is passed over in every kind, and what commands ask about it is still read", () => {
  const set = lockSetOf(
    commands([
      { accountNumbers: ["1", "2"], accountIds: ["a", "b"], transferId: "t1" },
      { hold: { id: "h1", captures: {} }, transferId: "t2" },
      { paymentRequestId: "p1" },
      { paymentRequestId: "p2" },
      { bulkId: "b1", transferId: "t2" },
      { bulkId: "b2" },
      { hold: { partnerReferenceKey: "k", captures: { named: "c" } } },
    ]),
  );
  assert.equal(withoutLocked(set, locked()), set);
  assert.deepEqual(withoutLocked(set, locked("1", "b", "t1", "h1", "k", "p1", "b1")), {
    ...set,
    accounts: { numbers: ["2"], ids: ["a"] },
    accountParents: { ids: [], partnerReferenceKeys: [] },
    transfers: ["t2"],
    paymentRequests: ["p2"],
    bulks: ["b2"],
  });
});

test("an id alone is looked for in every kind", () => {
  const { accounts, accountParents, transfers, paymentRequests, bulks } = lockSetOfIds(["x"]);
  const found = [accounts.ids, accountParents.ids, transfers, paymentRequests, bulks];
  assert.deepEqual(found, [["x"], ["x"], ["x"], ["x"], ["x"]]);
});
