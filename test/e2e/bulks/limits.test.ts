/**
 * Limits of the bulks (20) that a node accepts at once, and quotas of what is stored of a partner (spec D2, D17), by plain
 * HTTP: one partner's leave capacity for others, and for its other calls.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath, countBulkRows } from "../../support/black-box/bulks.ts";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { isSplit } from "../../support/black-box/split-sandbox.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { withClient } from "../../support/database/with-client.ts";

// Three are under way, two of one partner, of which one more may wait.
const sandbox = await startSandbox({
  TITIAN_BULKS_MAX: "5",
  TITIAN_PARTNER_BULKS_MAX: "3",
  TITIAN_PARTNER_REJECTIONS_PER_DAY: "2",
  TITIAN_PARTNER_FREE_FORM_MIB_PER_DAY: "1",
  TITIAN_PARTNER_LOOK_UPS_ALERT: "10",
});
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const [alpha, beta] = [sandbox.caller("alpha"), sandbox.caller("beta")];
const [from = "", other = ""] = alpha.partner.sourceAccounts;
// In the payer's cell: a payee elsewhere is looked up in a database that a bulk is being written to.
const to = isSplit ? "1009000002" : other;
const payer = (await control.open({ name: "A payer", balance: "100000000.00", partnerId: "alpha" })).accountNo;

async function metric(sample: string): Promise<number> {
  const { body } = await request(`${file.baseUrl}/metrics`);
  const line = (await body.text()).split("\n").find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1));
}
const waiting = () => metric(`titian_queue_depth{${isSplit ? 'cell="0",' : ""}queue="bulks"}`);

function expectTurnedAway(answer: Answer): void {
  expectCode(answer, "5032000");
  assert.equal(answer.headers["retry-after"], "1");
}

test("a partner's bulks beyond the limit take nothing; another partner's and plain transfers are served meanwhile", async () => {
  const calls = await Promise.all(Array.from({ length: 6 }, () => alpha.sign(bulkPath, bulkBody(payer, 50))));
  const before = await countBulkRows(file);
  const answers = await withClient(file.databaseUrl, async (client) => {
    // Nothing that pays from the account is decided until it is unlocked.
    await client.query("begin");
    await client.query("select from accounts where account_no = $1 for update", [payer]);
    const sent: Promise<Answer>[] = [];
    for (const [position, call] of calls.slice(0, 3).entries()) {
      sent.push(alpha.send(call));
      await eventually(async () => (await waiting()) === Math.max(0, position - 1));
    }
    for (const call of calls.slice(3)) expectTurnedAway(await alpha.send(call));
    expectCode(await alpha.call(transferPath, transferBody({ from, to })), "2001700");
    const [, theirs = ""] = beta.partner.sourceAccounts;
    expectCode(await beta.call(bulkPath, bulkBody(theirs, 50)), "2002000");
    await client.query("rollback");
    return Promise.all(sent);
  });
  for (const answer of answers) expectCode(answer, "2002000");
  assert.deepEqual(await countBulkRows(file), { bulks: 4, items: 200, requests: 204 });
  assert.deepEqual(before, { bulks: 0, items: 0, requests: 0 });
  // A copy of one that was turned away is the first of its kind.
  for (const call of calls.slice(3)) expectCode(await alpha.send(call), "2002000");
  assert.equal((await control.account(payer)).ledgerBalance, "96250000.00");
});

test("calls of 17 are answered while a bulk of 5,000 items is accepted, and while it is sent", async () => {
  const rich = alpha.partner.sourceAccounts[1] ?? "";
  let isAccepted = false;
  const accepting = alpha.call(bulkPath, bulkBody(rich, 5_000)).finally(() => (isAccepted = true));
  let meanwhile = 0;
  for (; !isAccepted; meanwhile += 1) {
    expectCode(await alpha.call(transferPath, transferBody({ from, to, value: "1.00" })), "2001700");
  }
  expectCode(await accepting, "2002000");
  assert.ok(meanwhile > 1, `${meanwhile} meanwhile`);
  for (let calls = 0; calls < 10; calls += 1) {
    expectCode(await alpha.call(transferPath, transferBody({ from, to, value: "1.00" })), "2001700");
  }
});

test("a day's stored rejections are used up: writes wait, inquiries go on, copies of a rejected call do not count", async () => {
  const gamma = sandbox.caller("gamma");
  const [source = "", target = "", , , empty = ""] = gamma.partner.sourceAccounts;
  const rejected = await gamma.sign(transferPath, transferBody({ from: empty, to: source }));
  for (let copies = 0; copies < 4; copies += 1) expectCode(await gamma.send(rejected), "4031714");
  const pay = () => gamma.call(transferPath, transferBody({ from: source, to: target }));
  expectCode(await pay(), "2001700");
  expectCode(await gamma.call(transferPath, transferBody({ from: empty, to: source })), "4031714");
  const turnedAway = await pay();
  expectCode(turnedAway, "4291700");
  assert.match(String(turnedAway.headers["retry-after"]), /^43[12]\d\d$/, "half a day");
  for (let account = 0; account < 12; account += 1) {
    expectCode(await gamma.call(inquiryPath, { beneficiaryAccountNo: `77000000${account}` }), "4041511");
  }
  await eventually(async () => (await metric('titian_quota_rejections_total{quota="rejections"}')) === 1);
  assert.equal(await metric("titian_look_up_alerts_total"), 1);
  expectCode(await alpha.call(transferPath, transferBody({ from, to })), "2001700");
});

test("a day's free-form bytes are used up by a bulk and by transfers: the partner's writes wait", async () => {
  const [source = "", target = ""] = beta.partner.sourceAccounts;
  const additionalInfo = { note: "x".repeat(60_000) };
  const items = Array.from({ length: 15 }, () => bulkItem({ additionalInfo }));
  expectCode(await beta.call(bulkPath, bulkBody(source, items)), "2002000");
  const pay = (more: Json) => beta.call(transferPath, transferBody({ from: source, to: target, value: "1.00" }, more));
  for (let paid = 0; paid < 3; paid += 1) expectCode(await pay({ additionalInfo }), "2001700");
  expectCode(await pay({}), "4291700");
  await eventually(async () => (await metric('titian_quota_rejections_total{quota="bytes"}')) === 1);
});
