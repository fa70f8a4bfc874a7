// Results that arrive together are settled by one journal. Each transfer ends once all the same, and one that cannot be settled
// with the others is recorded as if it had come alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { fromReferenceNo, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import type { RailResult } from "../../packages/server/src/rails/rail.ts";
import { findTransfer } from "../../packages/server/src/store/reads/transfers.ts";
import { queryRows } from "../../packages/server/src/store/postgres/query-rows.ts";
import { findTransfer as describeTransfer } from "../../packages/server/src/views/transfers/transfers.ts";
import { findNumber } from "../../packages/server/src/views/money/find-number.ts";
import { mayGoOn } from "../support/run-job.ts";
import { database, dispatcherWith, node, send } from "./submit-fixture.ts";
import { railThat } from "./rail-that.ts";

const stateOf = async (referenceNo: string) => {
  const transfer = await findTransfer(node.reads, fromReferenceNo(referenceNo) ?? "");
  assert.ok(transfer);
  return transfer;
};
const journalsOf = async (numbers: readonly string[]) =>
  new Set((await Promise.all(numbers.map(stateOf))).map(({ resolutionJournalId }) => resolutionJournalId));

/** Transfers by RTGS (22) that wait for their results, and nodes to which the rail reports that all are settled. */
async function pendingTransfers(count: number, nodes = 1) {
  let results: readonly RailResult[] = [];
  const conflicts: string[] = [];
  const reporting = () =>
    dispatcherWith(
      railThat("rtgs", { results: async () => results, acknowledge: async () => void (results = []) }).rail,
      {
        callsMax: 64,
        events: { statusConflict: (_, referenceNo) => conflicts.push(referenceNo) },
      },
    );
  const dispatchers = Array.from({ length: nodes }, reporting);
  const replies = await Promise.all(Array.from({ length: count }, () => send(dispatchers[0] ?? reporting(), "22")));
  const numbers = replies.map(({ fields }) => String(fields?.["referenceNo"]));
  results = numbers.map((referenceNo, index) => ({ referenceNo, state: { kind: "settled", traceNo: `T${index}` } }));
  return {
    numbers,
    conflicts,
    report: () => Promise.all(dispatchers.flatMap(({ collect }) => collect.map((job) => job.run(mayGoOn)))),
  };
}

test("callers whose transfers settle at the same moment are all answered, each with its own", async () => {
  const { rail, submitted } = railThat("interbank", {
    submit: async ({ referenceNo }) => ({ kind: "settled", traceNo: referenceNo.slice(-8) }),
  });
  const dispatcher = dispatcherWith(rail, { callsMax: 64 });
  const replies = await Promise.all(Array.from({ length: 40 }, () => send(dispatcher, "18")));
  assert.deepEqual([...new Set(replies.map((reply) => reply.case))], ["success"]);
  const journals = await journalsOf(submitted);
  assert.ok(journals.size < 20, `${journals.size} journals`);
  const queries = { ...node, pool: node.reads };
  const [journal, others] = [
    ...Map.groupBy(await Promise.all(submitted.map(stateOf)), (one) => one.resolutionJournalId),
  ].toSorted(([, some], [, more]) => more.length - some.length)[0] ?? [undefined, []];
  const number = toReferenceNo(journal ?? "");
  const found = (await findNumber(queries, { number }))?.matches.map(({ referenceNo }) => referenceNo) ?? [];
  assert.equal(found.length, Math.min(20, others.length), "the number of the journal finds all that it settled");
  assert.ok(found.every((one) => others.some(({ id }) => toReferenceNo(id) === one)));
  assert.equal(await describeTransfer(queries, number), undefined, "and shows none for all");
  for (const referenceNo of submitted) {
    const shown = await describeTransfer(queries, referenceNo);
    assert.equal(shown?.traceNo, referenceNo.slice(-8));
    assert.equal(shown.isResolvedSynchronously, true);
    const moved = shown.postings.map(({ kind, amount }) => [kind, amount]);
    assert.deepEqual(moved, [
      ["submission", shown.sentAmount + shown.fee],
      ["settlement", shown.sentAmount],
      ["fee", shown.fee],
    ]);
  }
  await dispatcher.close();
});

test("where it is not known whether they were settled together, each is looked for alone, and every caller is answered", async () => {
  const { rail, submitted } = railThat("interbank", { submit: async () => ({ kind: "settled", traceNo: "7" }) });
  let lost = 0;
  const submit: Engine["submit"] = async (command) => {
    const outcome = await node.engine.submit(command);
    if (command.locks.freeTransferIds === undefined) return outcome;
    lost += 1;
    return { kind: "unknown" };
  };
  const dispatcher = dispatcherWith(rail, { callsMax: 64, engine: { ...node.engine, submit } });
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(dispatcher, "18")));
  assert.ok(lost > 0);
  assert.deepEqual(
    [...new Set(replies.map((reply) => `${reply.case} ${String(reply.fields?.["traceNo"])}`))],
    ["success 7"],
  );
  for (const referenceNo of submitted) assert.equal((await stateOf(referenceNo)).version, 1);
  await dispatcher.close();
});

test("two nodes that are told the same results at the same moment settle each transfer once", async () => {
  const { numbers, conflicts, report } = await pendingTransfers(40, 2);
  await report();
  for (const referenceNo of numbers) assert.equal((await stateOf(referenceNo)).version, 2);
  assert.deepEqual(conflicts, []);
});

test("an operator decides on some of them at the same moment: the first result of each stands", async () => {
  const { numbers, conflicts, report } = await pendingTransfers(40);
  // One act after the other: all lock the chain of acts, and none waits long for it.
  const decide = async () => {
    for (const [index, number] of numbers.entries()) {
      if (index % 8 === 0)
        await resolveTransfer(node, number, { resolution: index % 16 === 0 ? "rejected" : "settled" });
    }
  };
  await Promise.all([decide(), report()]);
  const ended = await Promise.all(numbers.map(stateOf));
  assert.ok(ended.every(({ state }) => state === "settled" || state === "rejected"));
  const rejected = numbers.filter((_, index) => ended[index]?.state === "rejected");
  assert.deepEqual(conflicts.toSorted(), rejected.toSorted());
});

test("a transfer whose row is locked delays no other", async () => {
  const { numbers, report } = await pendingTransfers(8);
  const [, locked = ""] = numbers;
  const others = numbers.filter((number) => number !== locked);
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from transfers where id = $1 for update", [fromReferenceNo(locked)]);
  const reported = report();
  const deadline = Date.now() + 5_000;
  const openOthers = async () => (await Promise.all(others.map(stateOf))).filter(({ state }) => state !== "settled");
  while ((await openOthers()).length > 0) assert.ok(Date.now() < deadline, "the others wait");
  assert.equal((await stateOf(locked)).state, "pending");
  await holder.end();
  await reported;
  assert.equal((await stateOf(locked)).state, "settled");
  const entries = "select count(*) from entries where journal_id = any($1::uuid[]) and kind = 6";
  const journals = [...(await journalsOf(numbers))];
  const [row] = await queryRows(node.reads, { text: entries, values: [journals] });
  assert.equal(Number(row?.[0]), 2 * journals.length);
});
