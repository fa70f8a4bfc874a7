/** A small ledger with every kind of hold on it, for tests that look at what the audit makes of it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createExpireHolds } from "../../packages/server/src/jobs/expire-holds.ts";
import { startNode } from "./administration.ts";
import { useDatabase } from "./database/database.ts";
import { holdCalls, idr, openMerchant } from "./hold-calls.ts";
import { mayGoOn } from "./run-job.ts";

export interface HoldFixture extends AsyncDisposable {
  readonly url: string;
  readonly ownerUrl: string;
}

/**
 * The payer 2001 has 1,000.00, the merchant's account is 2002. One hold of 100.00 is open with 10.00 and 20.00 captured,
 * 5.00 voided and 15.00 refunded over both captures; one lapsed; one ended with a last capture; one was rejected.
 */
export async function createHoldFixture(): Promise<HoldFixture> {
  const database = await useDatabase();
  const node = await startNode(database.url);
  const calls = holdCalls(node, await openMerchant(node));
  const { place } = calls;
  const done = (reply: Reply) => assert.equal(reply.case, "success", JSON.stringify(reply));

  const lapsed = await place("50.00");
  done(await calls.capture(lapsed, "5.00"));
  node.clock.setOffset(8 * 86_400_000);
  await createExpireHolds(node).run(mayGoOn);
  const open = await place("100.00");
  done(await calls.capture(open, "10.00"));
  done(await calls.capture(open, "20.00"));
  done(await calls.send("authVoid", { ...open, partnerVoidNo: randomUUID(), voidAmount: idr("5.00") }));
  done(await calls.send("authRefund", { ...open, partnerRefundNo: randomUUID(), refundAmount: idr("15.00") }));
  const ended = await place("30.00");
  done(await calls.capture(ended, "25.00", { lastCapture: "true" }));
  const rejected = await calls.send("authPayment", { partnerReferenceNo: randomUUID(), amount: idr("9000.00") });
  assert.equal(rejected.case, "insufficientFunds");
  await node.close();
  const { url, ownerUrl } = database;
  return { url, ownerUrl, [Symbol.asyncDispose]: () => database.drop() };
}
