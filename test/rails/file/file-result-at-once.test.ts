/** Goal: a result that a program writes is recorded at once, and does not wait for the interval of the job that collects results. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startJob } from "../../../packages/server/src/jobs/job.ts";
import { findKnown } from "../../../packages/server/src/rails/results/record-result.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { openFileRail } from "../contract/open-rail.ts";
import { database, dispatcherWith, node, send } from "../submit-fixture.ts";
import { instructionsIn, scratchDirectory, tell } from "./file-side.ts";

test("a result is recorded although the job that collects results runs once an hour", async () => {
  const directory = scratchDirectory();
  const rail = await openFileRail({ name: "interbank", directory, url: database.url });
  after(() => rail.close());
  const dispatcher = dispatcherWith(rail, { railTimeoutMs: 20_000 });
  const collect = dispatcher.collect.find((one) => one.rail === "interbank") ?? assert.fail();
  const deps = { clock: node.clock, agrees: async () => true, runMaxMs: 30_000, onFailure: assert.fail };
  const job = startJob({ ...collect, everyMs: 3_600_000 }, deps);
  const replied = send(dispatcher, "18");
  const { referenceNo } = await eventually(() => instructionsIn(directory)[0], 5);
  tell(directory, "a.jsonl", { referenceNo, result: "settled" });
  await eventually(async () => (await findKnown(node.reads, referenceNo))?.state === "settled", 5);
  await replied;
  await job.close();
  await dispatcher.close();
});
