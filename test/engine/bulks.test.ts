// A bulk (20) is accepted as a whole or not at all, whatever happens between its first statement and its commit.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import { bulkTo, callTo, createDispatchFixture, openingBalance } from "../dispatch/dispatch-fixture.ts";
import { type NodeCall, railFee, startDispatchNode } from "../dispatch/nodes/dispatch-node.ts";
import { createRailJournal } from "../dispatch/rail-journal.ts";
import { useDatabase } from "../support/database/database.ts";
import { runStatements, withClient } from "../support/database/with-client.ts";
import { type Fault, faultySession } from "./faulty-session.ts";

const database = await useDatabase();
const fixture = await createDispatchFixture(database);
const { partner } = fixture;
/** Three chunks. */
const items = Array.from({ length: 510 }, () => "success");
const total = BigInt(items.length) * (1_000n + railFee);

const real = createClock();
let aheadMs = 0;
const clock = Object.assign(createClock(), { real: () => real.real() + aheadMs });

/** Next event on the connection that bulks are written on, once. */
let fault: Fault | undefined;
let cut: { readonly before: string; times: number } | undefined;
let atBegin: (() => Promise<void>) | undefined;

const nextFault = (possible: readonly Fault[]) => {
  const met = fault !== undefined && possible.includes(fault) ? fault : undefined;
  if (met) fault = undefined;
  return met;
};

const isCut = (statement: string) => {
  if (statement !== cut?.before) return false;
  cut.times -= 1;
  if (cut.times > 0) return false;
  cut = undefined;
  return true;
};

function writingBulks(session: Session): Session {
  const faulty = faultySession(session, nextFault, isCut);
  const waitAtBegin = async () => {
    const wait = atBegin;
    atBegin = undefined;
    await wait?.();
  };
  return {
    ...faulty,
    run: (statement, values) =>
      statement.name === "begin" && atBegin
        ? waitAtBegin().then(() => faulty.run(statement, values))
        : faulty.run(statement, values),
    isLost: () => faulty.isLost(),
  };
}

function startNode(wrap: (session: Session) => Session) {
  let opened = 0;
  const open = async () => {
    opened += 1;
    // The first is that of all other commands.
    const isFirst = opened === 1;
    const session = await openSession(fixture.url, "bulks test");
    return isFirst ? session : wrap(session);
  };
  return startDispatchNode({ url: fixture.url, clock, rails: createRailJournal().rails, interbankWaitMs: 1_000, open });
}

const node = await startNode(writingBulks);
const other = await startNode((session) => session);
after(async () => {
  await Promise.all([node, other].map((each) => each[Symbol.asyncDispose]()));
  await fixture[Symbol.asyncDispose]();
  await database.drop();
});

afterEach(async () => {
  assert.deepEqual([fault, cut, atBegin], [undefined, undefined, undefined]);
  const [left] = await fixture.query(
    `select (select count(*) from transfers where bulk_id not in (select id from bulks)) as items,
       (select count(*) from accepted_requests where service = 20 and id not in (
          select id from transfers union select id from bulks)) as keys,
       (select coalesce(sum(amount + fee), 0) from bulks)::text as sum`,
  );
  assert.deepEqual(left, { items: "0", keys: "0", sum: String(await fixture.inSuspense()) });
});

const newBulk = async (conducts: readonly string[] = items) => {
  const payer = await fixture.openPayer();
  return { payer, call: bulkTo(conducts, { payer, partner, value: "10.00" }) };
};

/** State of a payer: its balance, bulks and items. */
async function stateOf(payer: string) {
  const { balance, bulks, transfers } = await fixture.look(payer);
  return { balance, bulks: bulks.length, items: transfers.length };
}

const accepted = { balance: openingBalance - total, bulks: 1, items: items.length };
const untouched = { balance: openingBalance, bulks: 0, items: 0 };

/** The same request, newly signed, with another external id. */
const renamed = (call: NodeCall): NodeCall => ({ ...call, externalId: `${call.externalId}-again` });

async function expectAcceptedOnce({ payer, call }: Awaited<ReturnType<typeof newBulk>>) {
  const reply = await node.call(call);
  assert.equal(reply.case, "success");
  assert.deepEqual(await stateOf(payer), accepted);
  for (const again of [call, renamed(call)]) {
    const repeat = await node.call(again);
    assert.equal(repeat.case, again === call ? "conflict" : "duplicatePartnerReferenceNo");
    const info = repeat.fields?.["additionalInfo"] as { readonly originalResponse: object };
    assert.deepEqual(info.originalResponse, { ...info.originalResponse, bulkId: reply.fields?.["bulkId"] });
  }
  assert.deepEqual(await stateOf(payer), accepted);
}

const cuts = [
  ["begin", 1],
  ["savepoint-bulk", 1],
  ["insert-free-request-keys", 1],
  ["insert-records-of-items", 1],
  ["insert-transfers-of-items", 2],
  ["insert-records-of-items", 3],
  ["lock-accounts", 1],
  ["find-request-keys", 1],
  ["insert-request-keys", 1],
  ["insert-accepted-requests", 1],
  ["insert-entries", 1],
  ["update-accounts", 1],
  ["insert-bulks", 1],
] as const;

for (const [before, times] of cuts) {
  test(`cut before ${before}, ${times}: accepted once`, async () => {
    const bulk = await newBulk();
    cut = { before, times };
    await expectAcceptedOnce(bulk);
  });
}

for (const each of ["beginFails", "loadLost", "conflict", "commitLost", "answerLost", "rolledBack"] as const) {
  test(`${each}: accepted once`, async () => {
    const bulk = await newBulk();
    fault = each;
    await expectAcceptedOnce(bulk);
  });
}

test("a bulk that is rejected by the second command takes its items back, and leaves the connection and their numbers free", async () => {
  const { payer, call } = await newBulk();
  const setStatus = (status: string) =>
    runStatements(database.ownerUrl, [`update accounts set status = '${status}' where account_no = '${payer}'`]);
  atBegin = () => setStatus("blocked");
  assert.equal((await node.call(call)).case, "inactiveAccount");
  assert.deepEqual(await stateOf(payer), untouched);
  await expectAcceptedOnce(await newBulk());
  await setStatus("active");
  await expectAcceptedOnce({ payer, call: renamed(call) });
});

test("two nodes at once, one request: one bulk, and both callers know it", async () => {
  for (let round = 0; round < 3; round += 1) {
    const { payer, call } = await newBulk();
    const replies = await Promise.all([node.call(call), other.call(call)]);
    assert.deepEqual(replies.map((reply) => reply.case).toSorted(), ["conflict", "success"]);
    assert.deepEqual(await stateOf(payer), accepted);
  }
});

test("two nodes at once, two bulks that share a number: one is accepted, the other names its item", async () => {
  for (let round = 0; round < 3; round += 1) {
    const [one, two] = await Promise.all([newBulk(), newBulk()]);
    const { bulkObject, ...request } = two.call.request as { readonly bulkObject: readonly object[] };
    const [shared] = (one.call.request["bulkObject"] as readonly object[]).slice(-1);
    const crossing = { ...two.call, request: { ...request, bulkObject: [shared, ...bulkObject.slice(1)] } };
    const replies = await Promise.all([node.call(one.call), other.call(crossing)]);
    assert.deepEqual(replies.map((reply) => reply.case).toSorted(), ["inconsistentRequest", "success"]);
    const states = await Promise.all([one, two].map(({ payer }) => stateOf(payer)));
    assert.deepEqual(
      states.toSorted((a, b) => a.bulks - b.bulks),
      [untouched, accepted],
    );
  }
});

/** Calls with a bulk whose payer another transaction locks between the first command and the second, until `work` is done. */
async function callWhileLocked(
  { payer, call }: Awaited<ReturnType<typeof newBulk>>,
  work: (isAnswered: () => boolean) => Promise<void>,
): Promise<string> {
  return withClient(fixture.url, async (holder) => {
    const { promise: locked, resolve } = Promise.withResolvers<void>();
    atBegin = async () => {
      await holder.query(`begin; select from accounts where account_no = '${payer}' for update`);
      resolve();
    };
    let isAnswered = false;
    const reply = node.call(call).finally(() => {
      isAnswered = true;
    });
    await locked;
    await work(() => isAnswered);
    await holder.query("commit");
    return (await reply).case;
  });
}

test("a bulk whose payer is locked keeps nothing written and holds nobody up; it is accepted when the row is free", async () => {
  const waiting = await newBulk();
  const answer = await callWhileLocked(waiting, async (isAnswered) => {
    for (let round = 0; round < 5; round += 1) {
      await expectAcceptedOnce(await newBulk());
      const from = { payer: await fixture.openPayer(), partner };
      assert.equal((await node.call(callTo("interbankTransfer", "success", from))).case, "success");
      assert.deepEqual([isAnswered(), await stateOf(waiting.payer)], [false, untouched]);
    }
  });
  assert.equal(answer, "success");
  assert.deepEqual(await stateOf(waiting.payer), accepted);
});

test("a bulk whose payer is locked for longer than its caller waits: nothing is kept, and it is accepted later", async () => {
  const waiting = await newBulk();
  const answer = await callWhileLocked(waiting, async (isAnswered) => {
    aheadMs += 10_000;
    while (!isAnswered()) await sleep(5);
  });
  assert.equal(answer, "serviceUnavailable");
  assert.deepEqual(await stateOf(waiting.payer), untouched);
  await expectAcceptedOnce(waiting);
});
