// Authorized payments of payers in a further cell: the merchant is paid in that cell, its money is swept to home and drawn back for refunds.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../packages/server/src/admin/audit/compare-transit.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { eventually } from "../support/black-box/answers.ts";
import { capture, hold, type Payment, refund, voidHold } from "../support/black-box/payments/holds.ts";
import { paths } from "../support/black-box/payments/hold-bodies.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, idr, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { withClient } from "../support/database/with-client.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
assert.ok((await add(home.url, cell.url)).ok);
using cells = writeCells(`1 ${cell.url} ${ranges}`);
const production = await startProduction({ TITIAN_CELLS: cells.file }, home.url, { cells: [0, 1] });
after(async () => {
  await production.close();
  await home.drop();
  await cell.drop();
});
const { caller } = production;
const [settlement = "", ofHome = ""] = caller.partner.sourceAccounts;
const [merchantId = ""] = caller.partner.merchants;
const payer = "510000000001";
const [partner, merchantKey] = await withClient(home.ownerUrl, async (client) => {
  const { rows } = await client.query<{ partner: string; id: string }>("select partner, id from merchants");
  return [rows[0]?.partner ?? "", rows[0]?.id ?? ""];
});
await openIn(cell.url, { accountNo: payer, cell: 1, partners: [partner] });

const balanceIn = (url: string, accountNo: string) =>
  withClient(url, async (client) => {
    const text = "select balance from accounts where account_no = $1";
    const { rows } = await client.query<{ balance: string }>(text, [accountNo]);
    return BigInt(rows[0]?.balance ?? 0n);
  });
const standing = async () => ({
  payer: await balanceIn(cell.ownerUrl, payer),
  merchantInCell: await balanceIn(cell.ownerUrl, `merchant:${merchantKey}:IDR`),
  settlement: await balanceIn(home.ownerUrl, settlement),
});
type Standing = Awaited<ReturnType<typeof standing>>;
/** In rupiah. */
const moved = (before: Standing, now: Standing) =>
  Object.fromEntries(
    Object.entries(now).map(([name, balance]) => [name, Number(balance - before[name as keyof Standing]) / 100]),
  );
const holdInCell = (value: string): Promise<Payment> =>
  hold(caller, merchantId, { amount: idr(value), additionalInfo: { sourceAccountNo: payer } });

test("a hold is placed in the payer's cell, and the settlement account has the money when its capture is answered", async () => {
  const before = await standing();
  const payment = await holdInCell("100.00");
  assert.equal(fromReferenceNo(payment.referenceNo)?.slice(-2), "01");
  const asked = await caller.call(paths.query, {
    originalPartnerReferenceNo: payment.partnerReferenceNo,
    merchantId,
  });
  expectCode(asked, "2006400");
  expectCode(await capture(caller, payment, { captureAmount: idr("60.00") }), "2006500");
  assert.deepEqual(moved(before, await standing()), { payer: -60, merchantInCell: 0, settlement: 60 });
  expectCode(await voidHold(caller, payment), "2006700");
});

test("a refund draws what the cell lacks from the settlement account, and leaves nothing behind", async () => {
  const payment = await holdInCell("50.00");
  expectCode(await capture(caller, payment), "2006500");
  const before = await standing();
  expectCode(await refund(caller, payment, { refundAmount: idr("20.00") }), "2006900");
  assert.deepEqual(moved(before, await standing()), { payer: 20, merchantInCell: 0, settlement: -20 });
  const body = { refundAmount: idr("30.00") };
  expectCode(await refund(caller, payment, body), "2006900");
  assert.deepEqual(moved(before, await standing()), { payer: 50, merchantInCell: 0, settlement: -50 });
});

test("a refund beyond the merchant's money in all cells is rejected, and nothing moves", async () => {
  const payment = await holdInCell("80.00");
  expectCode(await capture(caller, payment), "2006500");
  const all = await balanceIn(home.ownerUrl, settlement);
  const value = `${all / 100n - 10n}.${String(all % 100n).padStart(2, "0")}`;
  expectCode(await caller.call(transferPath, transferBody({ from: settlement, to: ofHome, value })), "2001700");
  const before = await standing();
  expectCode(await refund(caller, payment, { refundAmount: idr("80.00") }), "4036914");
  assert.deepEqual(moved(before, await standing()), { payer: 0, merchantInCell: 0, settlement: 0 });
  expectCode(await refund(caller, payment, { refundAmount: idr("10.00") }), "2006900");
  assert.equal(await balanceIn(home.ownerUrl, settlement), 0n);
});

test("captures and refunds at once keep every amount", async () => {
  const before = await standing();
  const payments = await Promise.all(Array.from({ length: 12 }, () => holdInCell("10.00")));
  const answers = await Promise.all(
    payments.map(async (payment) => {
      expectCode(await capture(caller, payment), "2006500");
      for (;;) {
        const answer = await refund(caller, payment, { refundAmount: idr("4.00") });
        if (answer.code !== "5036900") return answer.code;
      }
    }),
  );
  assert.deepEqual([...new Set(answers)], ["2006900"]);
  await eventually(async () => (await standing()).merchantInCell === 0n);
  await eventually(async () => moved(before, await standing())["settlement"] === 72);
  assert.deepEqual(moved(before, await standing()), { payer: -72, merchantInCell: 0, settlement: 72 });
});

test("both cells are in order, and agree", async () => {
  const [atHome, atCell] = [createAdminPool(home.url, 1), createAdminPool(cell.url, 1)];
  assert.deepEqual(await compareTransit(atHome, atCell, 0, 1), []);
  assert.deepEqual(await compareTransit(atCell, atHome, 1, 0), []);
  await endPools(atHome, atCell);
  for (const url of [home.ownerUrl, cell.ownerUrl]) {
    const { findings } = await runAudit(url);
    assert.deepEqual(findings, []);
  }
});
