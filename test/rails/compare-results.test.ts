/** Results on a node that answers inquiries alone: what the ledger cannot record is set aside, and nothing is recorded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { RailResult, RailState } from "../../packages/server/src/rails/rail.ts";
import { listSetAside } from "../../packages/server/src/store/tables/rail-records/set-aside-results.ts";
import { mayGoOn } from "../support/run-job.ts";
import { balance, dispatcherWith, node, reconcile, send } from "./submit-fixture.ts";
import { railThat } from "./rail-that.ts";

test("unknown and contradicting results are set aside once, behind an invalid one, and none is applied", async () => {
  const told: RailState[] = [{ kind: "settled" }, { kind: "rejected", rejection: "rejected" }, { kind: "pending" }];
  const results: RailResult[] = [];
  const { rail, submitted } = railThat("rtgs", {
    submit: async () => told.shift() ?? { kind: "pending" },
    inquire: async () => ({ kind: "pending" }),
    results: async (most) => results.slice(0, most),
  });
  const faults: unknown[] = [];
  const dispatcher = dispatcherWith(rail, { silent: (_rail, error) => void faults.push(error) });
  for (let count = 0; count < 3; count += 1) await send(dispatcher, "22");
  await dispatcher.sender.settled();
  const [settled = "", rejected = "", open = ""] = submitted;
  const unknown = toReferenceNo(newId());
  const result = (referenceNo: string, state: unknown) => ({ referenceNo, state }) as RailResult;
  results.push(result(settled, { kind: "setled" }));
  for (const one of [settled, rejected, open, unknown]) {
    results.push(result(one, { kind: "settled" }), result(one, { kind: "rejected", rejection: "rejected" }));
  }
  const before = await balance();
  const compare = dispatcher.compare.find((job) => job.rail === "rtgs") ?? assert.fail();
  assert.deepEqual([await compare.run(mayGoOn), await compare.run(mayGoOn)], [4, 0]);
  const kept = (await listSetAside(node.reads, 10)).map(
    ({ referenceNo, state, reason }) => `${referenceNo} ${state} ${reason}`,
  );
  const expected = [`${settled} rejected conflict`, `${rejected} settled conflict`];
  expected.push(`${unknown} settled unknown`, `${unknown} rejected unknown`);
  assert.deepEqual(new Set(kept), new Set(expected));
  assert.equal(await balance(), before);
  assert.equal(faults.length, 2);
  await reconcile(dispatcher);
  await dispatcher.close();
});

test("a run ends with the first result that cannot be kept, and what stands behind is looked at by the next one", async () => {
  const results: RailResult[] = Array.from({ length: 50 }, () => ({
    referenceNo: toReferenceNo(newId()),
    state: { kind: "settled" },
  }));
  const { rail } = railThat("rtgs", { results: async (most) => results.slice(0, most) });
  let isBroken = true;
  const connect = () => (isBroken ? Promise.reject(new Error("no connection")) : node.database.connect());
  let failed = 0;
  const events = { notSetAside: () => void (failed += 1) };
  const dispatcher = dispatcherWith(rail, {
    events,
    database: Object.assign(Object.create(node.database), { connect }),
  });
  const compare = dispatcher.compare.find((job) => job.rail === "rtgs") ?? assert.fail();
  assert.deepEqual([await compare.run(mayGoOn), failed], [0, 1]);
  isBroken = false;
  assert.deepEqual([await compare.run(mayGoOn), failed], [50, 1]);
  await dispatcher.close();
});
