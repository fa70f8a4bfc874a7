// A cell whose database is away, when a node starts and while it runs: nothing is taken of its accounts, and home goes on.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { createCaller, newNumber } from "../support/black-box/caller.ts";
import { paymentRequestPath } from "../support/black-box/payment-requests.ts";
import { capture, hold, refund, voidHold } from "../support/black-box/payments/holds.ts";
import { eventually } from "../support/black-box/answers.ts";
import { addPartner } from "../support/black-box/production-partner.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import {
  expectCode,
  idr,
  inquiryPath,
  statusPath,
  transferBody,
  transferPath,
} from "../support/black-box/transfers.ts";
import { startAddress } from "../support/database/address.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
const port = Number(new URL(cell.url).port);
/** Nobody listens there. */
const nowhere = 1;
const wire = await startAddress(nowhere);
const homeWire = await startAddress(port);
assert.ok((await add(home.url, cell.url)).ok);
using cells = writeCells(`1 ${wire.urlOf(cell.url)} ${ranges}`);
const env = { TITIAN_CELLS: cells.file };
const production = await startProduction(env, homeWire.urlOf(home.url), { cells: [0, 1] });
after(async () => {
  await production.close();
  await wire[Symbol.asyncDispose]();
  await homeWire[Symbol.asyncDispose]();
  await home.drop();
  await cell.drop();
});
const { caller, served } = production;
/** Has that cell alone. */
const ofCellAlone = await addPartner(home.url, { cells: [1] });
const callerOfCell = createCaller({ ...served, partners: [ofCellAlone] }, ofCellAlone.partnerId, production.agent);
const [ofHome = "", other = ""] = caller.partner.sourceAccounts;
const [ofCell, otherOfCell] = ["510000000001", "510000000002"];
const partners = await withClient(home.ownerUrl, async (client) => {
  const { rows } = await client.query<{ id: string }>("select id from partners");
  return rows.map(({ id }) => id);
});
for (const accountNo of [ofCell, otherOfCell]) await openIn(cell.url, { accountNo, cell: 1, partners });

const inquire = () => caller.call(inquiryPath, { partnerReferenceNo: newNumber(), beneficiaryAccountNo: ofCell });
const status = (originalPartnerReferenceNo: string) =>
  caller.call(statusPath, {
    serviceCode: "17",
    originalPartnerReferenceNo,
    transactionDate: "2026-11-21T10:00:00+07:00",
  });
const acrossWhile = transferBody({ from: ofHome, to: ofCell });

const paymentRequestBody = () => ({
  partnerReferenceNo: newNumber(),
  bankCode: "008",
  sourceAccountNo: ofHome,
  sourceAccountName: "Siti Rahayu",
  beneficiaryAccountNo: ofCell,
  beneficiaryAccountName: "Siti Rahayu",
  expiredDatetime: formatTimestamp(Date.now() + 86_400_000),
  amount: idr("10.00"),
});

async function expectSilent(): Promise<void> {
  const across = await caller.call(transferPath, transferBody({ from: ofHome, to: ofCell }));
  expectCode(across, "5031700");
  assert.match(String(across.headers["retry-after"]), /^\d+$/);
  expectCode(await caller.call(paymentRequestPath, paymentRequestBody()), "5031900");
  // As of a node with one database that is away.
  assert.match((await caller.call(transferPath, transferBody({ from: ofCell, to: other }))).code, /^50[03]1700$/);
  assert.match((await inquire()).code, /^50[03]1500$/);
  // The cell may have it.
  expectCode(await status(newNumber()), "5003600");
  expectCode(await caller.call(transferPath, transferBody({ from: ofHome, to: other })), "2001700");
  const ready = await fetch(`${served.managementUrl}/health/ready`);
  const { checks } = (await ready.json()) as {
    readonly checks: { readonly cells: readonly { readonly ready: boolean }[] };
  };
  assert.deepEqual([ready.status, checks.cells.map((one) => one.ready)], [200, [true, false]]);
}

test("a node starts without a cell that is away, and serves home", expectSilent);

test("it serves the cell once that answers", async () => {
  wire.leadTo(port);
  await eventually(async () => (await inquire()).code === "2001500");
  expectCode(await caller.call(transferPath, acrossWhile), "2001700");
  expectCode(await caller.call(transferPath, transferBody({ from: ofCell, to: other })), "2001700");
});

test("a cell that goes away later takes nothing, and a repeat of what was accepted is answered all the same", async () => {
  wire.leadTo(nowhere);
  wire.cut();
  await eventually(async () => (await inquire()).code !== "2001500");
  await expectSilent();
  expectCode(await caller.call(transferPath, acrossWhile), "4091701");
});

test("it goes on when the cell is back", async () => {
  wire.leadTo(port);
  await eventually(
    async () => (await caller.call(transferPath, transferBody({ from: ofHome, to: ofCell }))).code === "2001700",
  );
  await eventually(
    async () => (await caller.call(transferPath, transferBody({ from: ofCell, to: other }))).code === "2001700",
  );
});

const [merchantId = ""] = ofCellAlone.merchants;
/** Money that has come to the settlement account from other cells. */
const settled = () =>
  withClient(home.ownerUrl, async (client) => {
    const text = `select coalesce(sum(amount), 0) as amount from entries
      where kind = 14 and account_id = (
        select settlement_account_id from merchants where partner = (select id from partners where partner_id = $1))`;
    const { rows } = await client.query<{ amount: string }>(text, [ofCellAlone.partnerId]);
    return BigInt(rows[0]?.amount ?? 0n);
  });

test("while home is away for longer than a node with one database waits, tokens are issued and a cell's payments go on", async () => {
  const before = await settled();
  homeWire.leadTo(nowhere);
  homeWire.cut();
  const withinCell = () => callerOfCell.call(transferPath, transferBody({ from: ofCell, to: otherOfCell }));
  const ages = async () => {
    const ready = await fetch(`${served.managementUrl}/health/ready`);
    const { checks } = (await ready.json()) as {
      readonly checks: { readonly referenceData: { readonly ageMs: number } };
    };
    assert.equal(ready.status, 200);
    return checks.referenceData.ageMs;
  };
  await eventually(async () => {
    expectCode(await withinCell(), "2001700");
    return (await ages()) > 11_000;
  });
  await callerOfCell.token({ fresh: true });
  expectCode(await withinCell(), "2001700");
  const payment = await hold(callerOfCell, merchantId, {
    amount: idr("90.00"),
    additionalInfo: { sourceAccountNo: ofCell },
  });
  expectCode(await capture(callerOfCell, payment, { captureAmount: idr("50.00") }), "2006500");
  expectCode(await refund(callerOfCell, payment, { refundAmount: idr("20.00") }), "2006900");
  expectCode(await voidHold(callerOfCell, payment), "2006700");
  const beyond = await hold(callerOfCell, merchantId, {
    amount: idr("40.00"),
    additionalInfo: { sourceAccountNo: ofCell },
  });
  expectCode(await capture(callerOfCell, beyond, { captureAmount: idr("0.01") }), "2006500");
  assert.match((await caller.call(transferPath, transferBody({ from: ofHome, to: other }))).code, /^50[03]1700$/);
  const unbound = await caller.call(transferPath, transferBody({ from: ofCell, to: otherOfCell }));
  expectCode(unbound, "5031700");
  assert.match(String(unbound.headers["retry-after"]), /^\d+$/);
  homeWire.leadTo(port);
  await eventually(
    async () => (await caller.call(transferPath, transferBody({ from: ofHome, to: other }))).code === "2001700",
  );
  // Money that was captured meanwhile has come, without what was refunded.
  await eventually(async () => (await settled()) === before + 3_001n);
});
