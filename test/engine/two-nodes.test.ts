// Two engine processes on one database: a request takes effect once, however often and to whichever node it is sent (D7).
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import fc from "fast-check";
import { Client } from "pg";
import type { AcceptedRequest } from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { useDatabase } from "../support/database/database.ts";
import { spoilRows } from "../support/database/with-client.ts";
import { findFaults } from "./find-faults.ts";
import { type Answer, forkNode, type ForkedNode } from "./fork-node.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import type { Transfer } from "./transfers.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
await seedAccounts(client, accounts(20, 1_000_000n));
const nodes: readonly [ForkedNode, ForkedNode] = await Promise.all([forkNode(database.url), forkNode(database.url)]);

after(async () => {
  const codes = await Promise.all(nodes.map((node) => node.close()));
  await client.end();
  await database.drop();
  assert.deepEqual(codes, [0, 0]);
  // Conflicts and deadlocks are expected; no command may fail by itself.
  const failures = nodes.flatMap((node) => [...node.failures.keys()]);
  assert.deepEqual(
    failures.filter((failure) => /poison|alone/.test(failure)),
    [],
  );
});

afterEach(async () => assert.deepEqual(await findFaults(client), []));

/** Sends each transfer to the node of its position, in turn. */
function sendAll(transfers: readonly Transfer[]): Promise<readonly Answer[]> {
  return Promise.all(transfers.map((transfer, index) => nodes[index % 2 === 0 ? 0 : 1].submit(transfer)));
}

const kindOf = (answer: Answer) =>
  answer.kind === "repeat" ? answer.repeat : answer.kind === "rejection" ? answer.rejection.kind : answer.kind;

function count(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[kindOf(answer)] = (counts[kindOf(answer)] ?? 0) + 1;
  return counts;
}

async function acceptedLike(pattern: string): Promise<readonly { id: string; external_id: string }[]> {
  const text = "select id, external_id from accepted_requests where external_id like $1 order by external_id";
  return (await client.query<{ id: string; external_id: string }>(text, [pattern])).rows;
}

test("1,000 copies of one transfer, mixed over two nodes: one effect, and every copy is answered with it", async () => {
  const copy: Transfer = { from: "1", to: "2", amount: 7n, externalId: "one-of-1000" };
  const answers = await sendAll(Array.from({ length: 1_000 }, () => copy));
  assert.deepEqual(count(answers), { effect: 1, sameCall: 999 });
  const [write, ...more] = await acceptedLike("one-of-1000");
  assert.deepEqual(more, []);
  for (const answer of answers) {
    if (answer.kind === "repeat") assert.equal(answer.original.id, write?.id);
  }
  assertNoConflict();
});

test("1,000 numbers, each sent twice under different external ids: one effect each", async () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => `number-${index}`);
  const twice = (side: string) =>
    numbers.map((number): Transfer => ({ from: "3", to: "4", amount: 1n, externalId: `${number}-${side}`, number }));
  const [left, right] = await Promise.all([sendAll(twice("a")), sendAll(twice("b").toReversed())]);
  assert.deepEqual(count([...left, ...right]), { effect: 1_000, sameNumber: 1_000 });
  const written = await acceptedLike("number-%");
  assert.equal(new Set(written.map((row) => row.external_id.slice(0, -2))).size, 1_000);
  assertNoConflict();
});

/** On the same accounts, keys are looked up under their locks: no unique key may conflict. */
function assertNoConflict(): void {
  const failures = nodes.flatMap((node) => [...node.failures.keys()]);
  assert.deepEqual(
    failures.filter((failure) => failure.startsWith("conflict")),
    [],
  );
}

test("one external id at once on different accounts of two nodes, 2,000 times: never two effects, never a failure", async () => {
  for (let round = 0; round < 20; round += 1) {
    const crossed = Array.from({ length: 100 }, (_, index): readonly [Transfer, Transfer] => {
      const externalId = `crossed-${round}-${index}`;
      return [
        { from: "5", to: "6", amount: 1n, externalId, number: `${externalId}-a` },
        { from: "7", to: "8", amount: 1n, externalId, number: `${externalId}-b` },
      ];
    });
    const answers = await sendAll(crossed.flat());
    assert.deepEqual(count(answers), { effect: 100, externalIdTaken: 100 });
  }
  assert.equal((await acceptedLike("crossed-%")).length, 2_000);
});

test("external ids used again after their window, at once on two nodes, 1,000 times: one effect each", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `again-${index}`);
  const use = (from: string, name: string, number: string): Transfer => {
    return { from, to: "6", amount: 1n, externalId: name, number: `${name}-${number}` };
  };
  await sendAll(names.map((name) => use("5", name, "first")));
  for (let round = 0; round < 10; round += 1) {
    await spoilRows(database.ownerUrl, [
      "update accepted_requests set accepted_at = accepted_at - interval '2 days' where external_id like 'again-%'",
    ]);
    const answers = await sendAll(
      names.flatMap((name) => [use("5", name, `${round}-a`), use("7", name, `${round}-b`)]),
    );
    assert.deepEqual(count(answers), { effect: 100, externalIdTaken: 100 });
  }
  assert.equal((await acceptedLike("again-%")).length, 1_100);
  // Each id leads to the newest request that has it.
  const { rowCount } = await client.query(
    "select from request_keys k join accepted_requests r on r.external_id_key = k.key where k.request_id < r.id",
  );
  assert.equal(rowCount, 0);
});

test("ids and numbers crossed against one another between two nodes end without a failure", async () => {
  for (let round = 0; round < 3; round += 1) {
    const names = Array.from({ length: 30 }, (_, index) => `knot-${round}-${String(index).padStart(2, "0")}`);
    const left = names.map((name, index): Transfer => {
      return { from: "9", to: "10", amount: 1n, externalId: `${name}-a`, number: names[29 - index] ?? name };
    });
    const right = names.map(
      (name): Transfer => ({ from: "11", to: "12", amount: 1n, externalId: `${name}-b`, number: name }),
    );
    const answers = await Promise.all([
      ...left.map((transfer) => nodes[0].submit(transfer)),
      ...right.map((transfer) => nodes[1].submit(transfer)),
    ]);
    assert.deepEqual(count(answers), { effect: 30, numberTaken: 30 });
  }
});

test("copies of a send behind its rejected repeat get one rejection, also when a later repeat was rejected between them", async () => {
  const [one, other] = nodes;
  const send = async (node: ForkedNode, sentAt: number) => {
    const signature = `repeats sent at ${sentAt}`;
    const answer = await node.submit({
      from: "18",
      to: "19",
      amount: 2_000_000n,
      externalId: "repeats",
      signature,
      sentAt,
    });
    return answer.kind === "rejection" ? answer.id : kindOf(answer);
  };
  const second = await send(one, 2);
  assert.equal(await send(other, 1), second);
  const third = await send(one, 3);
  assert.notEqual(third, second);
  assert.deepEqual(
    [await send(one, 1), await send(other, 1), await send(other, 2), await send(other, 3)],
    [second, second, second, third],
  );
});

interface Sent {
  readonly transfer: Transfer;
  readonly answer: Answer;
}

const someAccount = fc.integer({ min: 13, max: 17 }).map(String);
const anyTransfer = fc.record({
  from: someAccount,
  to: fc.oneof({ weight: 9, arbitrary: someAccount }, { weight: 1, arbitrary: fc.constant("none") }),
  amount: fc.bigInt({ min: 0n, max: 900_000n }),
  id: fc.integer({ min: 0, max: 400 }),
  number: fc.integer({ min: 0, max: 400 }),
  body: fc.integer({ min: 0, max: 1 }).map(String),
});

test("random calls on two nodes: every answer is explained by what the database holds", async () => {
  const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const sample = fc.sample(anyTransfer, { numRuns: 3_000, seed });
  const transfers = sample.map(({ id, number, ...rest }): Transfer => {
    return {
      ...rest,
      externalId: `random-${id}`,
      number: `random-${number}`,
      signature: `${id} ${number} ${JSON.stringify(rest.body)}`,
    };
  });
  const answers = await sendAll(transfers);
  const sent = transfers.map((transfer, index): Sent => ({ transfer, answer: answers[index] ?? assert.fail() }));
  const { rows } = await client.query<{ id: string; external_id: string }>(
    "select id, external_id from accepted_requests where external_id like 'random-%'",
  );
  const written = new Map(rows.map((row) => [row.id, row.external_id]));
  const effects = sent.filter(({ answer }) => answer.kind === "effect");
  assert.equal(effects.length, written.size, "as many effects were answered as were written");
  for (const key of ["externalId", "number"] as const) {
    assert.equal(new Set(effects.map(({ transfer }) => transfer[key])).size, effects.length, `one effect each ${key}`);
  }
  for (const one of sent) explain(one, written);
  assert.ok(effects.length > 50 && effects.length < sent.length, "the run saw effects and others");
});

function explain({ transfer, answer }: Sent, written: ReadonlyMap<string, string>): void {
  switch (answer.kind) {
    case "effect":
      assert.equal(written.get(answer.id), transfer.externalId);
      assert.deepEqual(answer.payload, { from: transfer.from, to: transfer.to, amount: String(transfer.amount) });
      break;
    case "repeat":
      explainRepeat(answer.repeat, transfer, answer.original);
      assert.equal(written.get(answer.original.id), answer.original.externalId);
      break;
    default:
      // Calls with the same signature have the same rejection, whatever they contain.
      assert.equal(answer.kind, "rejection");
  }
}

function explainRepeat(kind: string, transfer: Transfer, original: AcceptedRequest): void {
  const isSameId = original.externalId === transfer.externalId;
  assert.equal(isSameId, kind === "sameCall" || kind === "externalIdTaken");
  const content = { from: transfer.from, to: transfer.to, amount: String(transfer.amount) };
  if (kind === "sameNumber") assert.deepEqual(JSON.parse(original.payload), content);
  if (kind === "numberTaken") assert.notDeepEqual(JSON.parse(original.payload), content);
}
