// One node with home and a further cell, over real sockets: calls are decided where their payer is, and inquiries find them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newNumber } from "../support/black-box/caller.ts";
import { eventually, fieldsOf, unknownNumber } from "../support/black-box/answers.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, inquiryPath, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { fromReferenceNo, newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { compareTransit } from "../../packages/server/src/admin/audit/compare-transit.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { endPools } from "../support/database/end-pool.ts";
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
const [ofHome = ""] = caller.partner.sourceAccounts;
const [payer, payee] = ["510000000001", "510000000002"];
const partner = await withClient(home.ownerUrl, async (client) => {
  const { rows } = await client.query<{ id: string }>("select id from partners");
  return rows[0]?.id ?? "";
});
for (const accountNo of [payer, payee]) await openIn(cell.url, { accountNo, cell: 1, partners: [partner] });

const countIn = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>("select count(*) from accepted_requests");
    return Number(rows[0]?.count);
  });
const status = (fields: object) =>
  caller.call(statusPath, { serviceCode: "17", transactionDate: "2026-11-21T10:00:00+07:00", ...fields });

test("a transfer within a cell is decided there, under a number of that cell", async () => {
  const partnerReferenceNo = newNumber();
  const before = await countIn(cell.ownerUrl);
  const answer = await caller.call(transferPath, transferBody({ from: payer, to: payee, partnerReferenceNo }));
  expectCode(answer, "2001700");
  assert.deepEqual([await countIn(cell.ownerUrl), await countIn(home.ownerUrl)], [before + 1, 0]);
  const referenceNo = String(fieldsOf(answer)["referenceNo"]);
  assert.equal(fromReferenceNo(referenceNo)?.slice(-2), "01");
  for (const reference of [{ originalReferenceNo: referenceNo }, { originalPartnerReferenceNo: partnerReferenceNo }]) {
    const asked = await status(reference);
    expectCode(asked, "2003600");
    assert.equal(fieldsOf(asked)["latestTransactionStatus"], "00");
  }
});

const balanceIn = (url: string, accountNo: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ balance: string }>("select balance from accounts where account_no = $1", [
      accountNo,
    ]);
    return BigInt(rows[0]?.balance ?? 0n);
  });

for (const [name, from, to, fromUrl, toUrl] of [
  ["home to a cell", ofHome, payee, home.ownerUrl, cell.ownerUrl],
  ["a cell to home", payer, ofHome, cell.ownerUrl, home.ownerUrl],
] as const) {
  test(`a transfer from ${name} is final, and the payee has the money when it is answered`, async () => {
    const [paid, got] = [await balanceIn(fromUrl, from), await balanceIn(toUrl, to)];
    const partnerReferenceNo = newNumber();
    const body = transferBody({ from, to, value: "10000.00", partnerReferenceNo });
    const answer = await caller.call(transferPath, body);
    expectCode(answer, "2001700");
    assert.deepEqual(
      [await balanceIn(fromUrl, from), await balanceIn(toUrl, to)],
      [paid - 1_000_000n, got + 1_000_000n],
    );
    const asked = await status({ originalPartnerReferenceNo: partnerReferenceNo });
    expectCode(asked, "2003600");
    assert.equal(fieldsOf(asked)["latestTransactionStatus"], "00");
    expectCode(await caller.call(transferPath, body), "4091701");
    assert.equal(await balanceIn(fromUrl, from), paid - 1_000_000n);
  });
}

test("a payee that the other cell does not have is rejected, and nothing is sent", async () => {
  const before = await balanceIn(home.ownerUrl, ofHome);
  const answer = await caller.call(transferPath, transferBody({ from: ofHome, to: "510000000099" }));
  expectCode(answer, "4041711");
  assert.equal(await balanceIn(home.ownerUrl, ofHome), before);
});

test("the two cells agree on what was sent, and each is in order", async () => {
  const [atHome, atCell] = [createAdminPool(home.url, 1), createAdminPool(cell.url, 1)];
  assert.deepEqual(await compareTransit(atHome, atCell, 0, 1), []);
  assert.deepEqual(await compareTransit(atCell, atHome, 1, 0), []);
  await endPools(atHome, atCell);
  for (const url of [home.ownerUrl, cell.ownerUrl]) {
    const { findings } = await runAudit(url);
    assert.deepEqual(findings, []);
  }
});

test("a copy of the call is answered from the cell's record", async () => {
  const body = transferBody({ from: payer, to: payee });
  const [first, again] = [await caller.call(transferPath, body), await caller.call(transferPath, body)];
  expectCode(first, "2001700");
  expectCode(again, "4091701");
});

test("home's accounts are home's as before", async () => {
  const [, other = ""] = caller.partner.sourceAccounts;
  const answer = await caller.call(transferPath, transferBody({ from: ofHome, to: other }));
  expectCode(answer, "2001700");
  assert.equal(fromReferenceNo(String(fieldsOf(answer)["referenceNo"]))?.slice(-2), "00");
});

test("an account is read where it is", async () => {
  const answer = await caller.call(inquiryPath, { partnerReferenceNo: newNumber(), beneficiaryAccountNo: payee });
  expectCode(answer, "2001500");
});

test("a number that nobody has is not found in any cell", async () => {
  for (const originalReferenceNo of [unknownNumber, toReferenceNo(newId(1))]) {
    expectCode(await status({ originalReferenceNo }), "4043601");
  }
  expectCode(await status({ originalPartnerReferenceNo: newNumber() }), "4043601");
});

test("the state of the cells is in the node's readiness, and its metrics have each cell's figures", async () => {
  const { managementUrl } = production.served;
  const ready = (await (await fetch(`${managementUrl}/health/ready`)).json()) as {
    readonly checks: { readonly cells: readonly { readonly cell: number; readonly ready: boolean }[] };
  };
  assert.deepEqual(
    ready.checks.cells.map((one) => [one.cell, one.ready]),
    [
      [0, true],
      [1, true],
    ],
  );
  const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
  assert.match(metrics, /^titian_job_runs_total\{cell="1",job="expire-holds"\} \d+$/m);
  assert.match(metrics, /^titian_reference_data_age_seconds \d/m);
});

test("a cell that is added while a node runs is not served by it, and nothing is said of its accounts", async () => {
  await using second = await useDatabase();
  assert.ok((await add(home.url, second.url, `2 ${second.url} 610000000000-619999999999`)).ok);
  const inquire = () =>
    caller.call(inquiryPath, { partnerReferenceNo: newNumber(), beneficiaryAccountNo: "610000000001" });
  await eventually(async () => (await inquire()).code === "5031500");
  const paid = await caller.call(transferPath, transferBody({ from: "610000000001", to: "610000000002" }));
  // Its partner lacks that cell, so it may debit no account there.
  expectCode(paid, "4031715");
  expectCode(await status({ originalPartnerReferenceNo: newNumber() }), "5003600");
});
