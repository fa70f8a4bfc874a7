/** Goal: nobody who slept hands over what somebody else has rejected meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { watchRecords, watchSender } from "../dispatch/nodes/crash-points.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { openAct } from "../../packages/server/src/jobs/open-act.ts";
import { carryOutResolution, resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { findTransfer } from "../../packages/server/src/store/reads/transfers.ts";
import type { RailTransfer } from "../../packages/server/src/ledger/transfers/transfer.ts";
import { findKnown } from "../../packages/server/src/rails/results/record-result.ts";
import { type RailEvent, railEventCommand } from "../../packages/server/src/rails/commands/event-command.ts";
import { balance, dispatcherWith, laterBy, reconcile, never, node, send } from "./submit-fixture.ts";
import { railThat } from "./rail-that.ts";

test("a node that slept between its commit and the rail submits nothing, and one that wakes later inquires first", async () => {
  const before = await balance();
  let sleptMs = 0;
  const monotonic = () => node.clock.monotonic() + sleptMs;
  const fallAsleep = () => void (sleptMs += 6_000);
  const clock = { ...node.clock, monotonic };
  const { rail, submitted } = railThat("rtgs", {});
  const first = dispatcherWith(rail, { clock });
  const second = dispatcherWith(rail, { clock, engine: watchRecords(node.engine, fallAsleep) });
  const reply = await send({ sender: watchSender(first.sender, fallAsleep) }, "22");
  const referenceNo = String(reply.fields?.["referenceNo"]);
  laterBy(60_000);
  await reconcile(second);
  assert.deepEqual(submitted, []);
  laterBy(10_000);
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "rejected" }))?.state, "rejected");
  laterBy(60_000);
  for (const dispatcher of [first, second]) {
    await reconcile(dispatcher);
    await dispatcher.close();
  }
  assert.deepEqual(submitted, []);
  assert.equal(await balance(), before);
});

test("an instruction says until when it may be taken: 5 s after the commit of its submission", async () => {
  const submitted: string[] = [];
  const { rail } = railThat("rtgs", {
    submit: async ({ validUntil }) => {
      submitted.push(validUntil);
      return { kind: "settled" };
    },
  });
  const dispatcher = dispatcherWith(rail);
  const before = node.clock.real();
  await send(dispatcher, "22");
  const validUntil = Date.parse(submitted[0] ?? "");
  assert.match(submitted[0] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+07:00$/);
  assert.ok(validUntil >= before + 5_000 && validUntil <= node.clock.real() + 5_000, submitted[0]);
  await dispatcher.close();
});

test("an operator's rejection waits until no instruction can arrive that is on its way; what the rail says does not", async () => {
  const before = await balance();
  const { rail, submitted } = railThat("rtgs", { submit: never });
  const dispatcher = dispatcherWith(rail);
  const referenceNo = String((await send(dispatcher, "22")).fields?.["referenceNo"]);
  const known = (await findKnown(node.reads, referenceNo)) ?? assert.fail();
  const reject = (transfer: RailTransfer, by: "operator" | "rail") =>
    node.engine.submit(
      railEventCommand(transfer, { event: "reject", rejection: "rejectedByRail", by }, node.clock.real()),
    );
  assert.equal((await reject(known, "operator")).kind, "nothing");
  const decided = resolveTransfer(node, referenceNo, { resolution: "rejected" });
  laterBy(10_000);
  assert.equal((await decided)?.state, "rejected");

  // Submitted again, it is on its way again.
  const again = String((await send(dispatcher, "22")).fields?.["referenceNo"]);
  laterBy(60_000);
  await reconcile(dispatcher);
  const resent = (await findKnown(node.reads, again)) ?? assert.fail();
  assert.ok(resent.submittedAt >= resent.at + 60_000);
  assert.equal((await reject(resent, "operator")).kind, "nothing");
  assert.equal((await reject(resent, "rail")).kind, "effect");
  await dispatcher.close();
  assert.deepEqual(submitted, [referenceNo, again, again]);
  assert.equal(await balance(), before);
});

test("a rejection that was approved before the transfer was handed to its rail again is not carried out", async () => {
  const { rail } = railThat("rtgs", { submit: never });
  const dispatcher = dispatcherWith(rail);
  const referenceNo = String((await send(dispatcher, "22")).fields?.["referenceNo"]);
  const known = (await findKnown(node.reads, referenceNo)) ?? assert.fail();
  const approved = {
    transfer: known.id,
    resolution: "rejected",
    seen: known.state,
    seenVersion: known.version,
  } as const;
  const proposal = { id: newId(), kind: "resolution", target: referenceNo, reference: "", before: undefined } as const;
  const after = { ...approved, isAfterInquiry: false };
  const act = await openAct(node, { ...proposal, after, reason: "a test" });
  assert.equal(act.kind, "approved");
  laterBy(60_000);
  await reconcile(dispatcher);
  laterBy(11_000);
  const found = (await findTransfer(node.reads, known.id)) ?? assert.fail();
  assert.deepEqual([found.state, found.version > known.version], [known.state, true], "it was submitted again");
  const asJob = { ...after, actId: proposal.id, waits: false };
  const deps = { ...node, engine: node.actEngine };
  assert.equal((await carryOutResolution(deps, found, asJob))?.state, known.state);
  const again = await openAct(node, { ...proposal, after, reason: "a test" });
  assert.equal(again.kind, "actEnded");
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "rejected" }))?.state, "rejected");
  await dispatcher.close();
});

test("so does the rejection of what the rail had acknowledged, lost, and is submitted again", async () => {
  const { rail } = railThat("rtgs", { submit: async () => ({ kind: "pending" }) });
  const dispatcher = dispatcherWith(rail);
  const known = async (referenceNo: string) => (await findKnown(node.reads, referenceNo)) ?? assert.fail();
  const record = (transfer: RailTransfer, railEvent: Pick<RailEvent, "event" | "rejection" | "by">) =>
    node.engine.submit(railEventCommand(transfer, railEvent, node.clock.real()));
  const rejection = { event: "reject", rejection: "rejectedByRail", by: "operator" } as const;
  const [one, two] = [await send(dispatcher, "22"), await send(dispatcher, "22")].map(({ fields }) =>
    String(fields?.["referenceNo"]),
  );
  const rejected = async (referenceNo = "") =>
    (await resolveTransfer(node, referenceNo, { resolution: "rejected" }))?.state;
  assert.equal(await rejected(one), "rejected");
  const acknowledged = await known(two ?? "");
  assert.equal(acknowledged.state, "pending");
  assert.equal((await record(acknowledged, { event: "submit", by: "rail" })).kind, "effect");
  assert.equal((await record(await known(two ?? ""), rejection)).kind, "nothing");
  laterBy(10_000);
  assert.equal(await rejected(two), "rejected");
  await dispatcher.close();
});
