/** Results that cannot be recorded, while the database fails: none is lost in silence, and none takes the database from others. */
import assert from "node:assert/strict";
import type { EventEmitter } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { DispatchEvents } from "../../packages/server/src/rails/dispatch-events.ts";
import type { RailResult, RailState } from "../../packages/server/src/rails/rail.ts";
import { listSetAside } from "../../packages/server/src/store/tables/rail-records/set-aside-results.ts";
import { mayGoOn } from "../support/run-job.ts";
import { dispatcherWith, laterBy, node, reconcile, send } from "./submit-fixture.ts";
import { railThat } from "./rail-that.ts";

type Failed = Parameters<DispatchEvents["notSetAside"]>[0];

const refused = () => Promise.reject(new Error("no connection"));

/** A pool whose connections and queries pass through `before`, which may fail. */
function poolThat(pool: typeof node.reads, before: () => Promise<void>): typeof node.reads {
  const given = { connect: () => before().then(() => pool.connect()) };
  const query = (...args: Parameters<typeof pool.query>) => before().then(() => pool.query(...args));
  return Object.assign(Object.create(pool), given, { query });
}

type PassQuery = (name: string | undefined, client: EventEmitter, query: () => Promise<unknown>) => Promise<unknown>;

/** The database, each query of whose connections `pass` makes. */
function databaseWith(pass: PassQuery): typeof node.database {
  const connect = async () => {
    const client = await node.database.connect();
    const query = (given: { readonly name?: string }, ...args: never[]) =>
      pass(given.name, client, () => client.query(given as never, ...args));
    return Object.assign(Object.create(client), { query });
  };
  return Object.assign(Object.create(node.database), { connect });
}

async function setAsideOf(number: string) {
  const kept = await listSetAside(node.reads, 100);
  return kept.filter(({ referenceNo }) => referenceNo === number).map(({ state, reason }) => `${state} ${reason}`);
}

/** A transfer that an inquiry settles while its submission is under way, whose response is `late` then. */
async function contradict(terms: Parameters<typeof dispatcherWith>[1], late: RailState, meanwhile: () => void) {
  let respond = (_state: RailState) => {};
  const { rail, submitted } = railThat("rtgs", {
    submit: async () => new Promise((resolve) => (respond = resolve)),
    inquire: async () => ({ kind: "settled" }),
  });
  const dispatcher = dispatcherWith(rail, { railTimeoutMs: 60_000, ...terms });
  await send(dispatcher, "22");
  laterBy(60_000);
  await reconcile(dispatcher);
  await Promise.all(dispatcher.reconcile.map((job) => job.settled()));
  meanwhile();
  respond(late);
  await dispatcher.sender.settled();
  await dispatcher.close();
  return submitted[0] ?? assert.fail("nothing was submitted");
}

const rejected = { kind: "rejected", rejection: "rejected", traceNo: "RT0042" } as const;

test("a contradiction in a response is set aside although the database failed first", async () => {
  let failures = 0;
  const fails = async () => (failures > 0 ? ((failures -= 1), refused()) : undefined);
  const told: string[] = [];
  const events: Partial<DispatchEvents> = {
    statusConflict: (_rail, referenceNo, state) => void told.push(`${referenceNo} ${state}`),
    notSetAside: () => void told.push("lost"),
  };
  for (const broken of ["reads", "database"] as const) {
    told.length = 0;
    const terms = { events, [broken]: poolThat(node[broken], fails) };
    const number = await contradict(terms, rejected, () => (failures = 2));
    assert.deepEqual([failures, told, await setAsideOf(number)], [0, [`${number} rejected`], ["rejected conflict"]]);
  }
});

test("a contradiction in a response that cannot be set aside is reported with all that is known of it", async () => {
  let isBroken = false;
  let laterMs = 0;
  const clock = { ...node.clock, real: () => node.clock.real() + laterMs };
  const fails = async () => {
    if (!isBroken) return;
    laterMs += 5_000;
    await refused();
  };
  for (const broken of ["reads", "database"] as const) {
    [isBroken, laterMs] = [false, 0];
    const lost: Failed[] = [];
    const events: Partial<DispatchEvents> = { notSetAside: (failed) => void lost.push(failed) };
    const terms = { events, clock, [broken]: poolThat(node[broken], fails) };
    const referenceNo = await contradict(terms, rejected, () => (isBroken = true));
    assert.deepEqual(lost, [{ rail: "rtgs", referenceNo, state: "rejected", traceNo: "RT0042", comesAgain: false }]);
  }
});

test("a page of which nothing can be set aside ends the run, and leaves connections to others", async () => {
  const results: RailResult[] = Array.from({ length: 600 }, () => ({
    referenceNo: toReferenceNo(newId()),
    state: { kind: "settled" },
  }));
  let pages = 0;
  const { rail } = railThat("rtgs", { results: async (most) => ((pages += 1), results.slice(0, most)) });
  let [atOnce, most] = [0, 0];
  const fails = async () => {
    most = Math.max(most, (atOnce += 1));
    await sleep(1);
    atOnce -= 1;
    await refused();
  };
  const failed: Failed[] = [];
  const events: Partial<DispatchEvents> = { notSetAside: (one) => void failed.push(one) };
  const dispatcher = dispatcherWith(rail, { events, database: poolThat(node.database, fails) });
  const collect = dispatcher.collect.find((job) => job.rail === "rtgs") ?? assert.fail();
  assert.equal(await collect.run(mayGoOn), 0);
  assert.deepEqual({ pages, most, lines: failed.length }, { pages: 1, most: 2, lines: 256 });
  assert.ok(failed.every(({ comesAgain }) => comesAgain));
});

test("a result of a transfer that a read does not show is not set aside, and is recorded by the next run", async () => {
  const results: RailResult[] = [];
  let acknowledged = 0;
  const { rail, submitted } = railThat("rtgs", {
    results: async () => [...results],
    acknowledge: async (taken) => void (acknowledged += taken.length),
  });
  let isBehind = false;
  const query = (...args: Parameters<typeof node.reads.query>) =>
    isBehind ? Promise.resolve({ rows: [] }) : node.reads.query(...args);
  const dispatcher = dispatcherWith(rail, { reads: Object.assign(Object.create(node.reads), { query }) });
  await send(dispatcher, "22");
  await dispatcher.sender.settled();
  const referenceNo = submitted[0] ?? assert.fail("nothing was submitted");
  results.push({ referenceNo, state: { kind: "settled" } });
  const collect = dispatcher.collect.find((job) => job.rail === "rtgs") ?? assert.fail();
  isBehind = true;
  assert.deepEqual([await collect.run(mayGoOn), acknowledged, await setAsideOf(referenceNo)], [0, 0, []]);
  isBehind = false;
  assert.equal(await collect.run(mayGoOn), 1);
  assert.deepEqual(await setAsideOf(referenceNo), []);
  await dispatcher.close();
});

test("a result in a response that agrees with the transfer's own is not set aside", async () => {
  const told: string[] = [];
  const tell = () => void told.push("told");
  const number = await contradict(
    { events: { statusConflict: tell, notSetAside: tell } },
    { kind: "settled" },
    () => undefined,
  );
  assert.deepEqual([told, await setAsideOf(number)], [[], []]);
});

test("a result is acknowledged once a commit that keeps it was confirmed", async () => {
  const referenceNo = toReferenceNo(newId());
  let acknowledged = 0;
  const { rail } = railThat("rtgs", {
    results: async () => (acknowledged > 0 ? [] : [{ referenceNo, state: { kind: "settled" } }]),
    acknowledge: async (taken) => void (acknowledged += taken.length),
  });
  let warns = true;
  const database = databaseWith(async (name, client, query) => {
    const answer = await query();
    // As where the wait for the standby was cancelled.
    if (warns && name === "keep-set-aside-result") client.emit("notice");
    return answer;
  });
  const failed: Failed[] = [];
  const dispatcher = dispatcherWith(rail, { database, events: { notSetAside: (one) => void failed.push(one) } });
  const collect = dispatcher.collect.find((job) => job.rail === "rtgs") ?? assert.fail();
  assert.equal(await collect.run(mayGoOn), 0);
  assert.deepEqual([await setAsideOf(referenceNo), acknowledged, failed.length], [["settled unknown"], 0, 1]);
  warns = false;
  assert.equal(await collect.run(mayGoOn), 1);
  assert.deepEqual([acknowledged, failed.length], [1, 1]);
  await dispatcher.close();
});

test("a result whose keeping was committed although the call failed is told of once, when it is found kept", async () => {
  const referenceNo = toReferenceNo(newId());
  let acknowledged = 0;
  const { rail } = railThat("rtgs", {
    results: async () => (acknowledged > 0 ? [] : [{ referenceNo, state: { kind: "settled" } }]),
    acknowledge: async (taken) => void (acknowledged += taken.length),
  });
  let isLost = true;
  const database = databaseWith(async (name, _client, query) => {
    const answer = await query();
    if (isLost && name === "keep-set-aside-result") throw new Error("the answer was lost");
    return answer;
  });
  const told: string[] = [];
  const events: Partial<DispatchEvents> = { unknownResult: (_rail, number) => void told.push(number) };
  const dispatcher = dispatcherWith(rail, { events, database });
  const collect = dispatcher.collect.find((job) => job.rail === "rtgs") ?? assert.fail();
  assert.equal(await collect.run(mayGoOn), 0);
  assert.deepEqual([await setAsideOf(referenceNo), told], [["settled unknown"], []]);
  isLost = false;
  assert.equal(await collect.run(mayGoOn), 1);
  assert.deepEqual([acknowledged, told], [1, [referenceNo]]);
  await dispatcher.close();
});
