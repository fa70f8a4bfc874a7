/**
 * Goal: `settle` makes a write exactly once. Method: every write that ends at once, each with its first response lost; and for a
 * checkout that is killed, real processes of a shop, each
 * killed at its own moment (before the first and behind every call to store and provider: between two of them nothing is
 * done that anybody sees), against a running sandbox and a PostgreSQL of the shop's; then the same orders are resumed.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, test } from "node:test";
import { createClient, type Fetch } from "@titian/client";
import { Pool } from "pg";
import { checkOut, type Order } from "../../../examples/attempts/check-out.ts";
import { createPostgresAttempts, createTable } from "../../../examples/attempts/postgres-store.ts";
import { newNumber } from "../../support/black-box/caller.ts";
import { sharePaymentFixture } from "../../support/black-box/payments/payment-fixture.ts";
import { useDatabase } from "../../support/database/database.ts";
import { endPools } from "../../support/database/end-pool.ts";

const fixture = await sharePaymentFixture();
const database = await useDatabase();
const pool = new Pool({ connectionString: database.ownerUrl, max: 4 });
await pool.query(createTable);
after(async () => {
  await endPools(pool);
  await database.drop();
});

const store = createPostgresAttempts(pool);
const until = () => new Date(Date.now() + 60_000);

/** As alpha. `loses`: the first response to each external id of a write does not arrive. */
function createAlpha(loses = false) {
  const { baseUrl } = fixture.sandbox.file;
  const { partnerId, channelId, clientKey, clientSecret, privateKey } = fixture.alpha.partner;
  const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
  const lost = new Set<string>();
  const fetch: Fetch = async (url, request) => {
    const response = await globalThis.fetch(url, request);
    const { "X-EXTERNAL-ID": id = "" } = request.headers;
    if (!loses || lost.has(id) || /b2b|query|status/.test(url)) return response;
    lost.add(id);
    throw new Error("the connection broke");
  };
  return createClient({ baseUrl, partnerId, channelId, clientKey, credentials, fetch });
}

async function newOrder(): Promise<Order> {
  const payer = await fixture.newPayer("1000.00");
  const shop = await fixture.newPayer("0.00");
  const placedAt = new Date().toISOString();
  return { id: newNumber(), placedAt, total: "400.00", payer: payer.accountNo, shop: shop.accountNo };
}

/** Exit code or signal of the shop, and its output. */
async function runShop(order: Order, moment: number): Promise<string> {
  const program = join(import.meta.dirname, "../../support/killed-checkout.ts");
  const args = [fixture.sandbox.dataDir, database.ownerUrl, JSON.stringify(order), String(moment)];
  const child = spawn(process.execPath, ["--conditions=source", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return `${code ?? signal} ${printed.trim()}`;
}

const balanceOf = async (accountNo: string) => (await fixture.control.account(accountNo)).ledgerBalance;

test("the store in PostgreSQL keeps each version of one runner", async () => {
  const known = { isAccepted: false, isTaken: false, next: "send", tries: 0, since: 0, pauseMs: 0 } as const;
  const attempt = createAlpha().prepare("authRefund", { originalPartnerReferenceNo: "1", partnerRefundNo: "\u0000" });
  const one = { key: newNumber(), version: 1, attempt, isOpen: true, known };
  const puts = [one, one, { ...one, version: 3 }, { ...one, version: 2, isOpen: false }];
  const results: boolean[] = [];
  for (const put of puts) results.push(await store.put(put));
  assert.deepEqual(results, [true, false, false, true]);
  assert.deepEqual(await store.get(one.key), puts[3]);
  assert.deepEqual([await store.listOpen(), await store.get("none")], [[], undefined]);
});

test("a hold, its capture, void and refund are made once though no first response arrives", async () => {
  const client = createAlpha(true);
  const { merchantId } = fixture.merchant;
  const { additionalInfo, accountNo } = await fixture.newPayer("1000.00");
  const order = newNumber();
  const idr = (value: string) => ({ value, currency: "IDR" });
  const title = "Deposit";
  const placing = { partnerReferenceNo: order, merchantId, title, amount: idr("400.00"), additionalInfo };
  const placed = await client.settle(client.prepare("authPayment", placing), { until: until() });
  assert.ok(placed.state === "done");
  assert.equal(placed.status, "01");
  const hold = { originalReferenceNo: placed.response.referenceNo, originalPartnerReferenceNo: order, merchantId };
  const capture = { ...hold, partnerCaptureNo: "C-1", title, captureAmount: idr("300.00") };
  const captured = await client.settle(client.prepare("authCapture", capture), { until: until() });
  const release = { ...hold, partnerVoidNo: "V-1", voidAmount: idr("100.00") };
  const refund = { originalPartnerReferenceNo: order, partnerRefundNo: "R-1", refundAmount: idr("50.00") };
  const [released, refunded] = await Promise.all([
    client.settle(client.prepare("authVoid", release), { until: until() }),
    client.settle(client.prepare("authRefund", refund), { until: until() }),
  ]);
  for (const { state, status } of [captured, released, refunded]) assert.deepEqual([state, status], ["done", "00"]);
  assert.equal(await balanceOf(accountNo), "750.00");
  const again = { ...capture, captureAmount: idr("1.00"), partnerCaptureNo: "C-2" };
  const late = await client.settle(client.prepare("authCapture", again), { until: until() });
  assert.deepEqual([late.state, late.state === "rejected" && late.caseName], ["rejected", "invalidTransactionStatus"]);
});

test("a transfer to another bank and a bulk end as their rail says, and a request for payment when it is made", async () => {
  const client = createAlpha(true);
  const { accountNo: sourceAccountNo } = await fixture.newPayer("1000000.00");
  const account = (outcome: string) => {
    const scenario = fixture.sandbox.file.scenarios.find((one) => one.outcome === outcome);
    return scenario ?? assert.fail(outcome);
  };
  const amount = { value: "10000.00", currency: "IDR" };
  const beneficiaryAccountName = "Ratna";
  const transactionDate = new Date().toISOString();
  const pay = async (outcome: string) => {
    const { beneficiaryBankCode, beneficiaryAccountNo } = account(outcome);
    const to = { beneficiaryBankCode, beneficiaryAccountNo, beneficiaryAccountName };
    const transfer = { partnerReferenceNo: newNumber(), amount, sourceAccountNo, transactionDate, ...to };
    return client.settle(client.prepare("interbankTransfer", transfer), { until: until() });
  };
  const payAll = async () => {
    const { beneficiaryBankCode: bankCode, beneficiaryAccountNo } = account("success");
    const item = { partnerReferenceNo: newNumber(), bankCode, beneficiaryAccountNo, beneficiaryAccountName, amount };
    const bulk = { partnerBulkId: newNumber(), customerReference: "PAY", sourceAccountNo, transactionDate };
    const attempt = client.prepare("interbankBulkTransfer", { ...bulk, bulkObject: [item] });
    return client.settle(attempt, { until: until() });
  };
  const ask = async () => {
    const { beneficiaryBankCode: bankCode, beneficiaryAccountNo } = account("success");
    const parties = {
      bankCode,
      beneficiaryAccountNo,
      beneficiaryAccountName,
      sourceAccountNo,
      sourceAccountName: "Siti",
    };
    // Other tests of the sandbox move its clock.
    const { now } = await fixture.control.call<{ readonly now: string }>("GET", "clock");
    const expiredDatetime = new Date(Date.parse(now) + 3_600_000).toISOString();
    const request = { partnerReferenceNo: newNumber(), ...parties, expiredDatetime, amount };
    return client.settle(client.prepare("requestForPayment", request), { until: until() });
  };
  const [settled, rejected, bulk, asked] = await Promise.all([pay("success"), pay("rejected"), payAll(), ask()]);
  assert.ok(settled.state === "done" && bulk.state === "done" && asked.state === "done");
  assert.match(settled.response.referenceNo, /^[0-9A-Z]{26}$/);
  assert.match(bulk.response.bulkId, /^[0-9A-Z]{26}$/);
  assert.ok(rejected.state === "rejected" && rejected.responseCode.startsWith("40"));
  assert.equal(rejected.status, "06");
});

test("killed at every moment of its checkout and resumed, a shop has paid once", async () => {
  const orders: Order[] = [];
  let end = "SIGKILL ";
  for (let moment = 1; end === "SIGKILL "; moment += 1) {
    const order = await newOrder();
    orders.push(order);
    end = await runShop(order, moment);
  }
  assert.equal(end, "0 done");
  // Two stored, token, transfer, three stored with its repeat between them: the last one is not killed.
  assert.ok(orders.length >= 10, `${orders.length} orders`);
  const client = createAlpha();
  for (const settled of await client.resume(store, { until: until() })) assert.equal(settled.state, "done");
  assert.deepEqual(await store.listOpen(), []);
  for (const order of orders) {
    const settled = await checkOut(client, store, order);
    assert.equal(settled.state, "done");
    assert.deepEqual([await balanceOf(order.payer), await balanceOf(order.shop)], ["600.00", "400.00"]);
  }
});
