/** Lists that the client pays in bulk, against a running service: lost responses, a killed node, used numbers, returns. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type BulkOrder,
  BulkRejectedError,
  createClient,
  type Fetch,
  payInBulk,
  type PayInBulkOptions,
  paymentsToRetry,
} from "@titian/client";
import { newNumber } from "../support/black-box/caller.ts";
import type { Service } from "../support/black-box/service.ts";
import { type Sandbox, startSandbox } from "../support/black-box/start-sandbox.ts";

let sandbox: Sandbox;
let secondNode: Promise<Service> | undefined;
before(async () => {
  sandbox = await startSandbox();
});
after(async () => {
  await (await secondNode)?.[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** As alpha; `fetch` sees every call to service 20. */
function createAlpha(fetchBulk: Fetch = globalThis.fetch) {
  const { baseUrl, partners } = sandbox.file;
  const alpha = partners.find(({ partnerId }) => partnerId === "alpha") ?? assert.fail();
  const { clientSecret, privateKey, partnerId, channelId, clientKey } = alpha;
  const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
  const fetch: Fetch = (url, request) => (url.endsWith("-bulk") ? fetchBulk : globalThis.fetch)(url, request);
  return createClient({ baseUrl, partnerId, channelId, clientKey, credentials, fetch });
}

const scenario = (outcome: string) =>
  sandbox.file.scenarios.find((one) => one.outcome === outcome)?.beneficiaryAccountNo ?? assert.fail(outcome);

/** A list from a new account with 1,000,000.00 on it, 10,000.00 to each of the accounts. */
async function newOrder(beneficiaries: readonly string[]): Promise<BulkOrder> {
  const { accountNo } = await sandbox.control.open({ name: "Siti", balance: "1000000.00", partnerId: "alpha" });
  const payments = beneficiaries.map((beneficiaryAccountNo) => ({
    bankCode: "014",
    beneficiaryAccountNo,
    beneficiaryAccountName: "Budi",
    amount: { value: "10000.00", currency: "IDR" },
  }));
  return { name: `LIST-${newNumber()}`, sourceAccountNo: accountNo, payments };
}

const settling = (count: number) => Array.from({ length: count }, (_, index) => `77000000${index}`);
const balanceOf = async ({ sourceAccountNo }: BulkOrder) =>
  (await sandbox.control.account(sourceAccountNo)).ledgerBalance;
const quick: PayInBulkOptions = { pollMs: 100 };

test("a list whose responses are lost, and whose node is killed, is paid once", async () => {
  const order = await newOrder(settling(7));
  const lost = new Set<string>();
  const client = createAlpha(async (url, request) => {
    const response = await globalThis.fetch(url, request);
    const { "X-EXTERNAL-ID": id = "" } = request.headers;
    if (lost.has(id)) return response;
    lost.add(id);
    // With its third response the node dies; another takes its place.
    if (lost.size === 3) {
      const env = { PORT: new URL(sandbox.file.baseUrl).port };
      secondNode = sandbox.service.end("SIGKILL").then(() => sandbox.startNode(env));
    }
    throw new Error("the connection broke");
  });
  const { counts, isRepeat, bulks } = await payInBulk(client, order, { ...quick, maxItems: 3 });
  assert.deepEqual(counts, { settled: 7, rejected: 0, returned: 0, open: 0 });
  assert.deepEqual([isRepeat, bulks.length, lost.size], [false, 3, 3]);
  assert.equal(await balanceOf(order), "912500.00");
  // A program that crashed before it stored anything.
  const again = await payInBulk(createAlpha(), order, { ...quick, maxItems: 3 });
  assert.deepEqual([again.isRepeat, again.counts], [true, counts]);
  // Split otherwise, its first bulk is another.
  await assert.rejects(payInBulk(createAlpha(), order, { ...quick, maxItems: 4 }), BulkRejectedError);
  assert.equal(await balanceOf(order), "912500.00");
});

test("a payment that was made under its number before is named, and none of its bulk is made", async () => {
  const client = createAlpha();
  const order = await newOrder(settling(3));
  const numbered = order.payments.map((payment, index) => ({ ...payment, partnerReferenceNo: newNumber() + index }));
  await payInBulk(client, { ...order, payments: numbered.slice(2) }, { wait: false });
  const other = await newOrder([]);
  const error = await payInBulk(client, { ...other, payments: numbered }, quick).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof BulkRejectedError);
  assert.deepEqual([error.index, error.payment?.partnerReferenceNo], [2, numbered[2]?.partnerReferenceNo]);
  assert.equal(await balanceOf(other), "1000000.00");
});

test("returned payments are found by a later call, and paid again once under the next number", async () => {
  const client = createAlpha();
  const order = await newOrder([...settling(2), scenario("returnedAfterSettlement"), scenario("rejected")]);
  const first = await payInBulk(client, order, quick);
  assert.deepEqual(first.counts, { settled: 3, rejected: 1, returned: 0, open: 0 });
  await sandbox.control.advance(61);
  const { counts, results } = await payInBulk(client, order, quick);
  assert.deepEqual(counts, { settled: 2, rejected: 1, returned: 1, open: 0 });
  const payments = paymentsToRetry(results).map((payment, index) => ({
    ...payment,
    beneficiaryAccountNo: `780000000${index}`,
  }));
  assert.equal(payments.length, 2);
  const second = await payInBulk(client, { ...order, name: `${order.name}-R2`, payments }, quick);
  assert.equal(second.counts.settled, 2);
  // Under another name too: each next number is used.
  await assert.rejects(payInBulk(client, { ...order, name: newNumber(), payments }, quick), BulkRejectedError);
});
