// Submissions to a rail that misbehaves, or beside somebody who is faster, never bring about money that goes out and
// comes back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watchClaims } from "../dispatch/nodes/crash-points.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { type Rail, RailDown, type RailState } from "../../packages/server/src/rails/rail.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { findTransfer } from "../../packages/server/src/store/reads/transfers.ts";
import { balance, type Dispatcher, dispatcherWith, laterBy, reconcile, never, node, send } from "./submit-fixture.ts";
import { railThat } from "./rail-that.ts";
import { mayGoOn } from "../support/run-job.ts";

test("a transfer that an operator ended while the rail was asked is not submitted again", async () => {
  const before = await balance();
  let asked = () => undefined as void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let answer = (_: undefined) => undefined as void;
  const { rail, submitted } = railThat("rtgs", {
    submit: never,
    inquire: () => {
      asked();
      return new Promise((resolve) => (answer = resolve));
    },
  });
  const dispatcher = dispatcherWith(rail);
  const referenceNo = String((await send(dispatcher, "22")).fields?.["referenceNo"]);
  laterBy(60_000);
  const resumed = reconcile(dispatcher);
  await isAsked;
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "rejected" }))?.state, "rejected");
  answer(undefined);
  await resumed;
  await dispatcher.close();
  assert.deepEqual(submitted, [referenceNo]);
  assert.equal(await balance(), before);
});

test("a rail that is down for the caller's node rejects nothing that another node has submitted", async () => {
  const before = await balance();
  let fail = () => undefined as void;
  let calls = 0;
  const { rail, submitted } = railThat("interbank", {
    submit: () => {
      calls += 1;
      if (calls > 1) return Promise.resolve({ kind: "pending" });
      return new Promise((_, reject) => (fail = () => reject(new RailDown("down"))));
    },
  });
  const dispatcher = dispatcherWith(rail);
  const reply = send(dispatcher, "18");
  while (submitted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  laterBy(60_000);
  await reconcile(dispatcher);
  assert.equal(submitted.length, 2);
  fail();
  const { case: result, fields } = await reply;
  assert.equal(result, "requestInProgress");
  const settled = await resolveTransfer(node, String(fields?.["referenceNo"]), { resolution: "settled" });
  assert.equal(settled?.state, "settled");
  await dispatcher.close();
  assert.equal((before ?? 0n) - ((await balance()) ?? 0n), 260_000n);
});

test("a rail that obeys no signal is waited for no longer than any other, and delays no other rail", async () => {
  const { rail, submitted } = railThat("rtgs", { submit: never, inquire: never });
  const dispatcher = dispatcherWith(rail, { callsMax: 1 });
  const replies = await Promise.all([send(dispatcher, "22"), send(dispatcher, "22")]);
  const references = replies.map(({ fields }) => String(fields?.["referenceNo"]));
  // One found no place: it is accepted all the same, and due by itself.
  assert.equal(submitted.length, 1);
  assert.equal((await send(dispatcher, "18")).case, "requestInProgress");
  laterBy(60_000);
  await reconcile(dispatcher);
  for (const referenceNo of references) await resolveTransfer(node, referenceNo, { resolution: "settled" });
  await dispatcher.close();
});

/** So many transfers of 22, looked after in one run once they are due. */
async function sendAndReconcile(rail: Rail, count: number): Promise<void> {
  const dispatcher = dispatcherWith(rail, { callsMax: count, railTimeoutMs: 10_000 });
  await Promise.all(Array.from({ length: count }, () => send(dispatcher, "22")));
  laterBy(60_000);
  await reconcile(dispatcher);
  await dispatcher.close();
}

test("an inquiry that hangs delays no other transfer of its rail", async () => {
  // More than are looked after at once.
  const count = 40;
  const asked = new Set<string>();
  const others = Promise.withResolvers<void>();
  let isGivenUp = false;
  const { rail } = railThat("rtgs", {
    inquire: async (referenceNo, signal) => {
      const isFirst = asked.size === 0;
      asked.add(referenceNo);
      if (asked.size === count) others.resolve();
      signal.addEventListener("abort", () => (isGivenUp = true));
      if (isFirst) await others.promise;
      return { kind: "settled" };
    },
  });
  await sendAndReconcile(rail, count);
  assert.equal(asked.size, count);
  assert.equal(isGivenUp, false);
});

test("a transfer claimed while the node stops is given back as well: another node reconciles it at once", async () => {
  const { rail, submitted } = railThat("rtgs", { submit: never });
  let closed: Promise<void> | undefined;
  const database = watchClaims(node.database, () => void (closed = dispatcher.close()));
  const dispatcher: Dispatcher = dispatcherWith(rail, { database });
  const referenceNo = String((await send(dispatcher, "22")).fields?.["referenceNo"]);
  laterBy(60_000);
  await reconcile(dispatcher);
  await (closed ?? assert.fail("it was claimed"));
  const { rail: working } = railThat("rtgs", { inquire: async () => ({ kind: "settled" }) });
  const other = dispatcherWith(working);
  await reconcile(other);
  await other.close();
  assert.deepEqual(submitted, [referenceNo]);
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "settled" }))?.resolvedBy, "rail");
});

test("more than are looked after at once are all looked after in one run, also when those before them end together", async () => {
  const count = 40;
  const asked = new Set<string>();
  const { rail } = railThat("rtgs", {
    inquire: async (referenceNo) => {
      asked.add(referenceNo);
      // The first ones have taken all places for longer than a run waits between its looks.
      await new Promise((resolve) => setTimeout(resolve, 150));
      return { kind: "settled" };
    },
  });
  await sendAndReconcile(rail, count);
  assert.equal(asked.size, count);
});

test("asking for results is cut off when the node stops, and that is no fault; without a stop it is one", async () => {
  const { rail } = railThat("rtgs", { results: () => new Promise(() => undefined) });
  const collect = ({ collect: jobs }: Dispatcher) => jobs.find((job) => job.rail === "rtgs")?.run(mayGoOn);
  const failures: unknown[] = [];
  const silent = (name: string, error: unknown) => void failures.push([name, String(error)]);
  const stopping = dispatcherWith(rail, { railTimeoutMs: 60_000, silent });
  const collecting = collect(stopping);
  await stopping.close();
  await collecting;
  assert.deepEqual(failures, []);
  const running = dispatcherWith(rail, { railTimeoutMs: 5, silent });
  await collect(running);
  await running.close();
  assert.deepEqual(failures, [["rtgs", "Error: no answer within 5 ms"]]);
});

test("a rail that is down for one node unsays nothing of what another hands over meanwhile", async () => {
  const down = railThat("rtgs", { submit: () => Promise.reject(new RailDown("down")) });
  const first = dispatcherWith(down.rail);
  const referenceNo = String((await send(first, "22")).fields?.["referenceNo"]);
  const stateNow = async () => (await findTransfer(node.reads, fromReferenceNo(referenceNo) ?? ""))?.state;
  assert.equal(await stateNow(), "queued");

  // Both have taken it on as it is before either hands it over.
  const claim = async (submit: () => Promise<RailState>) => {
    const [asked, answer] = [Promise.withResolvers<true>(), Promise.withResolvers<undefined>()];
    const inquire = () => {
      asked.resolve(true);
      return answer.promise;
    };
    const dispatcher = dispatcherWith(railThat("rtgs", { submit, inquire }).rail, { railTimeoutMs: 60_000 });
    // A run of another node that is under way looks for due transfers as well: it may claim this one again before.
    for (let tries = 0; tries < 20; tries += 1) {
      laterBy(300_000);
      const run = reconcile(dispatcher);
      const isClaimed = await Promise.race([asked.promise, run.then(() => false)]);
      if (isClaimed) return { dispatcher, goOn: () => answer.resolve(undefined), run };
    }
    return assert.fail("it was never claimed");
  };
  const isHandedOver = Promise.withResolvers<void>();
  const response = Promise.withResolvers<RailState>();
  const one = await claim(() => {
    isHandedOver.resolve();
    return response.promise;
  });
  const other = await claim(() => Promise.reject(new RailDown("down")));
  one.goOn();
  await Promise.race([isHandedOver.promise, one.run.then(() => assert.fail("it was not handed over"))]);
  other.goOn();
  await other.run;
  response.reject(new Error("the response was lost"));
  await one.run;
  assert.equal(await stateNow(), "submitted");
  laterBy(60_000);
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "rejected" }))?.state, "rejected");
  await Promise.all([first, one.dispatcher, other.dispatcher].map((dispatcher) => dispatcher.close()));
});
