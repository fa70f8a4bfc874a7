/**
 * Limits of the bulks (20) that a node accepts at once (spec D2, D17), by plain HTTP: one partner's leave capacity for
 * others, and for its other calls.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkPath, countBulkRows } from "../../support/black-box/bulks.ts";
import type { Answer } from "../../support/black-box/caller.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { expectCode, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { withClient } from "../../support/database/with-client.ts";

// Three are under way, two of one partner, of which one more may wait.
const sandbox = await startSandbox({ TITIAN_BULKS_MAX: "5", TITIAN_PARTNER_BULKS_MAX: "3" });
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const [alpha, beta] = [sandbox.caller("alpha"), sandbox.caller("beta")];
const [from = "", to = ""] = alpha.partner.sourceAccounts;
const payer = (await control.open({ name: "A payer", balance: "100000000.00", partnerId: "alpha" })).accountNo;

async function waiting(): Promise<number> {
  const { body } = await request(`${file.baseUrl}/metrics`);
  return Number(/^titian_queue_depth\{queue="bulks"\} (\d+)$/m.exec(await body.text())?.[1]);
}

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
    const [theirs = ""] = beta.partner.sourceAccounts;
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
