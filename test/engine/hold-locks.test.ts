// Holds in the engine: a locked row delays only commands that need it, and money for a closed account goes to the
// account of unapplied funds, on one node and on two at once.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { Client } from "pg";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { findAccountByNumber } from "../../packages/server/src/store/reads/accounts.ts";
import { startNode } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { holdCalls, idr, openMerchant } from "../support/hold-calls.ts";

const database = await useDatabase();
const [node, other] = await Promise.all([startNode(database.url), startNode(database.url)]);
const partner = await openMerchant(node);
await other.refresh();
const here = holdCalls(node, partner);
const there = holdCalls(other, partner);
const client = new Client({ connectionString: database.url });
await client.connect();

after(async () => {
  assert.deepEqual(await runAudit(database.url), { ok: true, findings: [] });
  await client.end();
  await Promise.all([node.close(), other.close()]);
  await database.drop();
});

test("a capture waits while the row of its hold is locked; other commands do not", async () => {
  const held = await here.place("10.00");
  await client.query("begin");
  await client.query("select from holds where id = $1 for update", [fromReferenceNo(held.originalReferenceNo)]);
  const waiting = here.capture(held, "1.00");
  const refund = here.send("authRefund", { ...held, partnerRefundNo: randomUUID() });
  let isOver = false;
  const ends = Promise.all([waiting, refund]).then((replies) => {
    isOver = true;
    return replies.map((reply) => reply.case);
  });
  // The first one delays its batch; later ones do not, though two nodes share their accounts.
  for (let round = 0; round < 50; round += 1) await Promise.all([there.place("0.01"), here.place("0.01")]);
  assert.equal(isOver, false);
  await client.query("rollback");
  const [captured, refunded] = await ends;
  assert.equal(captured, "success");
  // Either may run first: before the capture nothing can be refunded.
  assert.ok(refunded === "success" || refunded === "invalidTransactionStatus", refunded);
});

test("captures of many holds wait while their merchant's account is locked, and delay no other commands", async () => {
  const holds = await Promise.all(Array.from({ length: 60 }, () => here.place("1.00")));
  await client.query("begin; select from accounts where account_no = '2002' for update");
  const captures: Promise<Reply>[] = [];
  for (const hold of holds) {
    captures.push(here.capture(hold, "1.00"));
    // If each delayed its batch by a lock time-out, the first would time out before the last is sent.
    valueOf(await changeAccount(node, "2001", { name: "Budi" }));
  }
  await client.query("rollback");
  assert.deepEqual(new Set((await Promise.all(captures)).map((reply) => reply.case)), new Set(["success"]));
});

test("a merchant's account closed meanwhile: captures of two nodes at once go to one account of unapplied funds", async () => {
  const holds = await Promise.all(Array.from({ length: 20 }, () => here.place("5.00")));
  valueOf(await changeAccount(node, "2002", { status: "closed", closesWithMoney: true }));
  const before = (await findAccountByNumber(node.reads, "2002"))?.balance;
  const captures = holds.flatMap((hold) => [here.capture(hold, "2.00"), there.capture(hold, "3.00")]);
  for (const reply of await Promise.all(captures)) assert.equal(reply.case, "success");
  const unapplied = await findAccountByNumber(node.reads, "unclaimed:IDR");
  assert.equal(unapplied?.balance, 10_000n);
  assert.equal((await findAccountByNumber(node.reads, "2002"))?.balance, before);
  const rejected = await here.send("authPayment", { partnerReferenceNo: randomUUID(), amount: idr("1.00") });
  assert.equal(rejected.case, "inactiveAccount");
});
