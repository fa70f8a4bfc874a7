// Concurrent holds on one payer, over two processes: as many as the payer has funds for, and no more.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { valueOf } from "../support/expect.ts";
import { startHoldNode } from "./hold-node.ts";
import { idr, merchantCall } from "./merchant.ts";
import { openRaceFixture } from "./races/race-fixture.ts";

const rounds = 15;
const fixture = await openRaceFixture("two processes");
after(() => fixture[Symbol.asyncDispose]());
const { url, merchant, client } = fixture;

async function openPayer(accountNo: string): Promise<void> {
  await using node = await startHoldNode({ url, clock: createClock(), reference: () => merchant.reference });
  const terms = { name: "Holder", currency: "IDR", type: "S", partners: [merchant.partner] } as const;
  valueOf(await openAccount(node.admin, { ...terms, accountNo, balance: minor(2_050n) }));
}

/** Sends the calls to the nodes in turn, all at once. */
function sendAll(calls: readonly (readonly [name: "authPayment" | "authVoid", fields: object])[]) {
  const nodeAt = (index: number) => fixture.nodes[index % fixture.nodes.length] ?? assert.fail();
  return Promise.all(calls.map(([name, fields], index) => nodeAt(index).call(merchantCall(merchant, name, fields))));
}

const casesOf = (replies: readonly Reply[]) =>
  Object.fromEntries([...Map.groupBy(replies, (reply) => reply.case)].map(([name, all]) => [name, all.length]));

async function heldOn(accountNo: string): Promise<string | undefined> {
  const { rows } = await client.query<{ held: string }>("select held from accounts where account_no = $1", [accountNo]);
  return rows[0]?.held;
}

test("100 payments of 1.00 at once on 20.50: 20 are placed; voided while others come, their funds are held again", async () => {
  const accountNo = "PAYER";
  await openPayer(accountNo);
  const payment = ["authPayment", { amount: idr("1.00"), additionalInfo: { sourceAccountNo: accountNo } }] as const;
  let placed: readonly Reply[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const voids = placed.map(
      ({ fields = {} }) =>
        [
          "authVoid",
          {
            originalReferenceNo: fields["referenceNo"],
            originalPartnerReferenceNo: fields["partnerReferenceNo"],
          },
        ] as const,
    );
    // Voids of all that the last round placed, and more payments than there are funds for.
    const replies = await sendAll([...voids, ...Array.from({ length: 100 }, () => payment)]);
    assert.deepEqual(casesOf(replies.slice(0, voids.length)), voids.length === 0 ? {} : { success: voids.length });
    const payments = replies.slice(voids.length);
    placed = payments.filter((reply) => reply.case === "success");
    const { success = 0, insufficientFunds = 0 } = casesOf(payments);
    assert.equal(success + insufficientFunds, 100);
    assert.equal(await heldOn(accountNo), String(success * 100));
    // Those decided before the voids find less; the first round has none.
    assert.ok(success <= 20 && (round > 0 || success === 20), `${success} placed in round ${round + 1}`);
  }
  assert.deepEqual((await runAudit(url)).findings, []);
});
