// Random bulks (20) at once on two nodes, with numbers in common, too little money for all and connections that break: what
// each caller was answered is what the database holds.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { bulkTo, createDispatchFixture, openingBalance } from "../dispatch/dispatch-fixture.ts";
import { type NodeCall, startDispatchNode } from "../dispatch/nodes/dispatch-node.ts";
import { createRailJournal } from "../dispatch/rail-journal.ts";
import { randomNumbers } from "../torture/random-numbers.ts";
import { type Fault, faultySession } from "./faulty-session.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const random = randomNumbers(seed);
const below = (limit: number) => Math.floor(random() * limit);
const next = (possible: readonly Fault[]) => (random() < 0.05 ? possible[below(possible.length)] : undefined);

const fixture = await createDispatchFixture();
const start = () =>
  startDispatchNode({
    url: fixture.url,
    clock: createClock(),
    rails: createRailJournal().rails,
    interbankWaitMs: 1_000,
    open: async () => faultySession(await openSession(fixture.url, "random bulks"), next),
  });
const nodes = [await start(), await start()] as const;
after(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  await fixture[Symbol.asyncDispose]();
});

const payers = await Promise.all([1, 2, 3].map(() => fixture.openPayer()));

/** Call with one of few payers, numbers and external ids. */
function randomBulk(): NodeCall {
  const payer = payers[below(payers.length)] ?? "";
  const { request, ...call } = bulkTo(Array(1 + below(4)).fill("success"), { payer, partner: fixture.partner });
  const numbers = new Set(Array.from({ length: 4 }, () => `item-${below(200)}`));
  const bulkObject = (request["bulkObject"] as readonly object[]).slice(0, numbers.size).map((item, position) => ({
    ...item,
    partnerReferenceNo: [...numbers][position],
    amount: { value: `${1 + below(9)}0000.00`, currency: "IDR" },
  }));
  return {
    ...call,
    externalId: `id-${below(100)}`,
    request: { ...request, bulkObject, partnerBulkId: `bulk-${below(100)}` },
  };
}

const numbersOf = ({ bulkObject, partnerBulkId }: NodeCall["request"]) => [
  String(partnerBulkId),
  ...(bulkObject as readonly { readonly partnerReferenceNo: string }[]).map((item) => item.partnerReferenceNo),
];

/** The bulk that a repeat names. */
function originalOf({ fields }: Reply): unknown {
  const info = fields?.["additionalInfo"] as { readonly originalResponse?: { readonly bulkId?: string } } | undefined;
  return info?.originalResponse?.bulkId;
}

test("random bulks on two nodes: every answer is explained by what the database holds", async () => {
  const sent: { readonly call: NodeCall; readonly reply: Reply }[] = [];
  for (let round = 0; round < 12; round += 1) {
    const calls = Array.from({ length: 8 }, randomBulk);
    const replies = await Promise.all(calls.map((call, index) => nodes[index % 2 === 0 ? 0 : 1].call(call)));
    sent.push(...calls.map((call, index) => ({ call, reply: replies[index] ?? assert.fail() })));
  }
  const states = await Promise.all(payers.map((payer) => fixture.look(payer)));
  const bulks = states.flatMap((state) => state.bulks);
  const ids = new Set<unknown>(bulks.map(({ id }) => toReferenceNo(id)));
  const records = await fixture.query(
    `select coalesce(payload::json #>> '{request,partnerReferenceNo}', payload::json #>> '{request,partnerBulkId}') as number,
       external_id as id from accepted_requests where service = 20`,
  );
  const [used, usedIds] = [records.map(({ number }) => number), records.map(({ id }) => id)].map((all) => new Set(all));
  const counts = new Map<string, number>();
  for (const { call, reply } of sent) {
    counts.set(reply.case, (counts.get(reply.case) ?? 0) + 1);
    const original = originalOf(reply);
    assert.ok(original === undefined || ids.has(original));
    if (reply.case === "success") assert.ok(ids.has(reply.fields?.["bulkId"]));
    else if (reply.case === "conflict") assert.ok(usedIds?.has(call.externalId));
    else if (reply.case === "insufficientFunds") assert.equal(original, undefined);
    else {
      assert.match(reply.case, /^(duplicatePartnerReferenceNo|inconsistentRequest)$/);
      assert.ok(numbersOf(call.request).some((number) => used?.has(number)));
    }
  }
  console.log([...counts].map(([answer, count]) => `${count} ${answer}`).join(", "));
  assert.equal(counts.get("success"), bulks.length);
  assert.equal(
    bulks.reduce((sum, { itemCount }) => sum + itemCount, 0),
    states.flatMap(({ transfers }) => transfers).length,
  );
  const taken = states.reduce((sum, { balance }) => sum + openingBalance - balance, 0n);
  assert.equal(taken, await fixture.inSuspense());
  assert.ok(states.every(({ balance }) => balance >= 0n));
});
