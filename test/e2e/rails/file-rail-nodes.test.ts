/** Two nodes of production on one rail of files, called by plain HTTP: each sends, whichever has the lease, and either may die. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operations } from "@titian/contract";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkPath, untilBulkEnds } from "../../support/black-box/bulks.ts";
import type { Caller } from "../../support/black-box/caller.ts";
import { startFileNodes } from "../../support/black-box/rails/file-nodes.ts";
import { interbank, railServices } from "../../support/black-box/rails/rail-services.ts";
import { railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode } from "../../support/black-box/transfers.ts";
import { queryRows } from "../../support/database/with-client.ts";

const nodes = await startFileNodes(50);
const stack = new AsyncDisposableStack();
stack.use(nodes);
after(() => stack.disposeAsync());
const { production, second, folders, linesIn, callerOf, start } = nodes;
const [one, two] = [production.caller, callerOf(second.baseUrl)];
const [from = ""] = one.partner.sourceAccounts;
const inquiry = operations.externalAccountInquiry.example.request;

async function sendAll(caller: Caller): Promise<void> {
  expectCode(await caller.call("account-inquiry-external", inquiry), "2001600");
  for (const service of railServices) {
    const body = railBody(service, from, { amount: { value: "10000.00", currency: "IDR" } });
    const answer = await caller.call(service.path, body);
    assert.ok(["200", "202"].includes(answer.code.slice(0, 3)), answer.text);
    await untilStatus(caller, service, answer, "00");
  }
  const bulk = await caller.call(bulkPath, bulkBody(from, 3));
  await untilBulkEnds(caller, bulk);
}

test("16, 18, 20, 22 and 23 on both nodes; each line is once there, with what its record needs", async () => {
  await Promise.all([sendAll(one), sendAll(two)]);
  const lines = linesIn(folders[0] ?? "");
  assert.equal(lines.length, 8);
  assert.deepEqual(
    lines.map((line) => line["sequence"]).toSorted((a, b) => Number(a) - Number(b)),
    lines.map((_line, index) => index + 1),
  );
  const line = lines.find((found) => found["serviceCode"] === "18") ?? assert.fail();
  assert.equal(line["partnerId"], one.partner.partnerId);
  assert.equal(line["payerAccountNo"], from);
  assert.equal(line["fee"], "0.00");
  for (const name of ["partner", "externalId", "partnerReferenceNo", "requestFingerprint", "ledgerId"])
    assert.equal(typeof line[name], "string", name);
});

test("an interbank transfer (18) is answered with its result by both nodes, whichever has the lease", async () => {
  for (const caller of [one, two, one, two, one, two]) {
    const answer = await caller.call(interbank.path, railBody(interbank, from));
    assert.equal(answer.code, "2001800", answer.text);
  }
});

test("SIGHUP of a node of one process stops nothing, and says that nothing was read again", async () => {
  production.service.signal("SIGHUP");
  await eventually(async () => production.service.output().includes("SIGHUP replaces workers"));
  await sendAll(one);
});

test("the node with the lease is killed: the other one sends within seconds, and sends for both when it comes back", async () => {
  await production.service.end("SIGKILL");
  await eventually(async () => {
    const answer = await two.call(interbank.path, railBody(interbank, from));
    return ["2001800", "2021800"].includes(answer.code);
  });
  await sendAll(two);
  const back = stack.use(await start());
  await second.end("SIGKILL");
  await eventually(async () => {
    const answer = await callerOf(back.baseUrl).call(interbank.path, railBody(interbank, from));
    return ["2001800", "2021800"].includes(answer.code);
  });
  await sendAll(callerOf(back.baseUrl));
  for (const folder of folders) {
    const numbers = linesIn(folder).map(({ referenceNo }) => referenceNo);
    assert.equal(new Set(numbers).size, numbers.length);
  }
  const open = await queryRows(production.databaseUrl, "select id from transfers where is_open and state <> 'queued'");
  assert.deepEqual(open, []);
});
