// The job that sends items of bulks (20), over rails that are down, silent or slow, and on nodes that close.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { type Instruction, type Rail, RailDown, type RailState } from "../../packages/server/src/rails/rail.ts";
import { findWaitingBulks } from "../../packages/server/src/store/tables/unsubmitted-items.ts";
import { eventually } from "../support/black-box/answers.ts";
import { withClient } from "../support/database/with-client.ts";
import { findFaultsOf } from "./check-ends.ts";
import { bulkTo, callTo, createDispatchFixture, morningOffset } from "./dispatch-fixture.ts";
import { type DispatchNode, type DispatchNodeOptions, startDispatchNode } from "./nodes/dispatch-node.ts";
import { createRailJournal } from "./rail-journal.ts";
import { mayGoOn } from "../support/run-job.ts";

const fixture = await createDispatchFixture();
const journal = createRailJournal();
const clock = createClock();
clock.setOffset(morningOffset());
after(async () => {
  assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
  await fixture[Symbol.asyncDispose]();
});

/** Behaviour of the rail before an instruction reaches the journal. */
type Meet = (instruction: Instruction, signal: AbortSignal) => Promise<void>;

interface NodeOptions
  extends Partial<Pick<DispatchNodeOptions, "clock" | "interbankWaitMs" | "railTimeoutMs" | "reached">> {
  readonly meet?: Meet;
}

function startNode({ meet = async () => undefined, ...options }: NodeOptions = {}): Promise<DispatchNode> {
  const { interbank } = journal.rails;
  const submit: Rail["submit"] = async (instruction, signal, commit): Promise<RailState> => {
    await meet(instruction, signal);
    return interbank.submit(instruction, signal, commit);
  };
  const rails = { ...journal.rails, interbank: { ...interbank, submit } };
  return startDispatchNode({
    url: fixture.url,
    clock,
    rails,
    interbankWaitMs: 5_000,
    railTimeoutMs: 20_000,
    ...options,
  });
}

async function sendBulk(node: DispatchNode, count: number, by = fixture.partner) {
  const payer = await fixture.openPayer(by);
  const call = bulkTo(Array(count).fill("success"), { payer, partner: by, value: "10000.00" });
  const reply = await node.call(call);
  assert.equal(reply.case, "success");
  return { payer, replies: [reply] };
}

async function expectEnded(bulks: readonly Awaited<ReturnType<typeof sendBulk>>[]): Promise<void> {
  assert.equal(await fixture.countOpen(), 0);
  for (const bulk of bulks) {
    assert.deepEqual(findFaultsOf(bulk, await fixture.look(bulk.payer), journal), []);
    assert.deepEqual([...new Set(journal.entriesOf(bulk.payer).map(({ arrivals }) => arrivals))], [1]);
  }
  assert.equal(await fixture.inSuspense(), 0n);
}

test("an item that the rail reports before we know it was sent is asked about, and ends", async () => {
  await using node = await startNode();
  const bulk = await sendBulk(node, 1);
  const [item] = (await fixture.look(bulk.payer)).transfers;
  const early = { referenceNo: toReferenceNo(item?.id ?? ""), state: { kind: "pending" } } as const;
  const { interbank } = journal.rails;
  const reports: Rail = { ...interbank, results: async () => [early], acknowledge: async () => undefined };
  await using reporting = await startDispatchNode({
    url: fixture.url,
    clock,
    rails: { ...journal.rails, interbank: reports },
    interbankWaitMs: 5_000,
  });
  await reporting.dispatcher.collect.find(({ rail }) => rail === "interbank")?.run(mayGoOn);
  assert.equal((await fixture.look(bulk.payer)).transfers[0]?.state, "pending");
  await node.look();
  await expectEnded([bulk]);
});

test("an open item without an inquiry time is one that was never sent, in the database too", async () => {
  await using node = await startNode();
  const bulk = await sendBulk(node, 1);
  await assert.rejects(
    fixture.query("update transfers set state = 'pending' where is_open and next_inquiry_at is null"),
    /transfers_asked/,
  );
  await node.look();
  await expectEnded([bulk]);
});

test("a closed node gives its items back at once: another sends them without waiting", async () => {
  let met = 0;
  const meet: Meet = async (_, signal) => {
    met += 1;
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const silent = await startNode({ meet });
  const bulk = await sendBulk(silent, 90);
  const run = silent.dispatcher.sendBulkItems.run(mayGoOn);
  await eventually(() => met === 90, 5);
  await silent[Symbol.asyncDispose]();
  await run;
  await using other = await startNode();
  await other.look();
  await expectEnded([bulk]);
});

test("a rail that is down is called a few times; the items wait, and are sent once it is back", async () => {
  let isDown = true;
  let calls = 0;
  const meet: Meet = async () => {
    calls += 1;
    if (isDown) throw new RailDown("nobody there");
  };
  await using node = await startNode({ meet });
  const bulks = [await sendBulk(node, 95), await sendBulk(node, 95)];
  const job = node.dispatcher.sendBulkItems;
  for (let round = 0; round < 20; round += 1) await job.run(mayGoOn);
  const before = calls;
  assert.ok(before <= 128, `${before} calls`);
  assert.equal(await fixture.countOpen(), 190);
  isDown = false;
  await job.run(mayGoOn);
  assert.equal(calls, before);
  await node.dispatcher.wake("interbank");
  await node.look();
  await expectEnded(bulks);
});

test("a rail that answers nothing gets one round of items; the others are not sent, and no result of theirs is unknown", async () => {
  let isSilent = true;
  let calls = 0;
  const meet: Meet = async () => {
    calls += 1;
    if (isSilent) await new Promise(() => undefined);
  };
  await using node = await startNode({ meet, interbankWaitMs: 50, railTimeoutMs: 100 });
  const bulks = [await sendBulk(node, 95), await sendBulk(node, 95)];
  const job = node.dispatcher.sendBulkItems;
  for (let round = 0; round < 5; round += 1) await job.run(mayGoOn);
  assert.ok(calls <= 128, `${calls} calls`);
  isSilent = false;
  await node.dispatcher.wake("interbank");
  clock.setOffset(clock.offset() + 60_000);
  await node.look();
  await expectEnded(bulks);
});

test("partners take turns, however few items end at a time, and however many bulks one of them has", async () => {
  const waiting: { readonly payer: string; readonly end: () => void }[] = [];
  let met = 0;
  let isOpen = false;
  const meet: Meet = async ({ sourceAccountNo: payer }) => {
    met += 1;
    if (isOpen) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ payer, end: resolve });
    return promise;
  };
  await using node = await startNode({ meet });
  const [one, two] = [newId(), newId()];
  const many = [];
  for (let count = 0; count < 4; count += 1) many.push(await sendBulk(node, 90, one));
  const late = await sendBulk(node, 90, two);
  const found = await findWaitingBulks(node.reads, 2);
  assert.deepEqual(new Set(found.map(({ partner }) => partner)), new Set([one, two]));
  const run = node.dispatcher.sendBulkItems.run(mayGoOn);
  await eventually(() => met === 128, 5);
  const ofLate = () => waiting.filter(({ payer }) => payer === late.payer).length;
  assert.equal(ofLate(), 64);
  // One that is sent by itself has not to wait for them, and one that is due for an inquiry has not either.
  const from = { payer: await fixture.openPayer(), partner: fixture.partner };
  const alone = node.call(callTo("interbankTransfer", "success", from));
  await eventually(() => met === 129, 5);
  waiting.find(({ payer }) => payer === from.payer)?.end();
  assert.equal((await alone).case, "success");
  for (let round = 0; round < 3; round += 1) {
    const next = met + 8;
    for (const { end } of waiting.splice(0, 8)) end();
    await eventually(() => met === next, 5);
    assert.deepEqual(
      waiting.slice(-8).map(({ payer }) => payer === late.payer),
      Array(8).fill(round % 2 === 1),
    );
  }
  isOpen = true;
  for (const { end } of waiting) end();
  await run;
  await expectEnded([...many, late]);
});

test("a transfer that is due for an inquiry does not wait for the items that wait", async () => {
  await using node = await startNode({ interbankWaitMs: 50 });
  const bulks = [await sendBulk(node, 95), await sendBulk(node, 95), await sendBulk(node, 95)];
  const from = { payer: await fixture.openPayer(), partner: fixture.partner };
  assert.equal((await node.call(callTo("interbankTransfer", "silent", from))).case, "requestInProgress");
  clock.setOffset(clock.offset() + 60_000);
  await node.dispatcher.reconcile.find(({ rail }) => rail === "interbank")?.run(mayGoOn);
  assert.deepEqual(
    (await fixture.look(from.payer)).transfers.map(({ state }) => state),
    ["settled"],
  );
  assert.equal(await fixture.countOpen(), 285);
  await node.look();
  await expectEnded(bulks);
});

test("an instruction is valid for 5 s from what its claim records, however slow the claims behind it are", async () => {
  let aheadMs = 0;
  const { real, now, monotonic } = clock;
  const slow: DispatchNodeOptions["clock"] = {
    ...clock,
    real: () => real() + aheadMs,
    now: () => now() + aheadMs,
    monotonic: () => monotonic() + aheadMs,
  };
  const reached = () => {
    aheadMs += 1_000;
  };
  const validUntil: number[] = [];
  const meet: Meet = async (instruction) => void validUntil.push(Date.parse(instruction.validUntil) + clock.offset());
  await using node = await startNode({ clock: slow, reached, meet });
  const bulk = await sendBulk(node, 95);
  await node.dispatcher.sendBulkItems.run(mayGoOn);
  const [row] = await fixture.query("select max(submitted_at) as at from transfers");
  assert.ok(validUntil.length > 0 && Math.max(...validUntil) <= Number(row?.["at"]) + 5_000);
  aheadMs += 60_000;
  await node.look();
  await expectEnded([bulk]);
});

test("a bulk whose row is locked delays the results of its own items alone", async () => {
  await using node = await startNode();
  const [locked, free] = [await sendBulk(node, 60), await sendBulk(node, 60)];
  const [{ id } = { id: "" }] = (await fixture.look(locked.payer)).bulks;
  const run = await withClient(fixture.url, async (holder) => {
    await holder.query(`begin; select from bulks where id = '${id}' for update`);
    const running = node.dispatcher.sendBulkItems.run(mayGoOn);
    await eventually(async () => (await fixture.look(free.payer)).bulks[0]?.isEnded, 5);
    assert.equal(await fixture.countOpen(), 60);
    await holder.query("commit");
    return running;
  });
  assert.equal(run, 120);
  await expectEnded([locked, free]);
});
