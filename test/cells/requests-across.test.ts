// Requests for payment (19) whose payer and beneficiary are in two cells: decided in the payer's, and paid across cells by their approval.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import {
  approvePaymentRequest,
  type BeneficiariesElsewhere,
} from "../../packages/server/src/rails/commands/answer-payment-request.ts";
import { ResolutionUnknown } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { startNode } from "../support/administration.ts";
import { eventually, fieldsOf } from "../support/black-box/answers.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, idr, statusPath } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
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
const [ofHome = ""] = caller.partner.sourceAccounts;
const ofCell = "510000000001";
const partner = await withClient(home.ownerUrl, async (client) => {
  const { rows } = await client.query<{ id: string }>("select id from partners");
  return rows[0]?.id ?? "";
});
await openIn(cell.url, { accountNo: ofCell, cell: 1, partners: [partner] });

const places = {
  home: { number: 0, url: home.url, ownerUrl: home.ownerUrl, accountNo: ofHome },
  cell: { number: 1, url: cell.url, ownerUrl: cell.ownerUrl, accountNo: ofCell },
} as const;
interface Place {
  readonly number: number;
  readonly url: string;
  readonly ownerUrl: string;
  readonly accountNo: string;
}

const balanceOf = ({ ownerUrl, accountNo }: Place) =>
  withClient(ownerUrl, async (client) => {
    const text = "select balance from accounts where account_no = $1";
    const { rows } = await client.query<{ balance: string }>(text, [accountNo]);
    return BigInt(rows[0]?.balance ?? 0n);
  });

const ask = (from: string, to: string, value = "250.00") =>
  caller.call("transfer-request-for-payment", {
    partnerReferenceNo: newNumber(),
    bankCode: "008",
    sourceAccountNo: from,
    sourceAccountName: "Siti Rahayu",
    beneficiaryAccountNo: to,
    beneficiaryAccountName: "Siti Rahayu",
    expiredDatetime: formatTimestamp(Date.now() + 86_400_000),
    amount: idr(value),
  });

/** Approves in the payer's database; the running service ships what it sends. */
async function approve(
  payer: Place,
  beneficiary: Place,
  referenceNo: string,
  { isSilent = false, isAhead = false } = {},
) {
  await using node = await startNode(payer.url);
  await using other = await startNode(beneficiary.url);
  const { findAccountByNumber } = createReads(other.reads);
  const otherCells: BeneficiariesElsewhere = {
    see: async ({ accountNo, currency }) =>
      isSilent
        ? undefined
        : {
            account: await findAccountByNumber(accountNo),
            mirror: isAhead
              ? { name: "of a database that lost it", version: 1 }
              : await findAccountByNumber(`transit:in:${currency}:0${payer.number}`),
          },
    arrive: async () => undefined,
  };
  return await approvePaymentRequest({ ...node, otherCells }, referenceNo, { by: "payer" });
}

for (const [payer, beneficiary] of [
  [places.home, places.cell],
  [places.cell, places.home],
] as const) {
  test(`a request to the payer ${payer.accountNo} is paid to ${beneficiary.accountNo} once, when it is approved`, async () => {
    const before = { payer: await balanceOf(payer), beneficiary: await balanceOf(beneficiary) };
    const asked = await ask(payer.accountNo, beneficiary.accountNo);
    expectCode(asked, "2001900");
    const referenceNo = String(fieldsOf(asked)["referenceNo"]);
    assert.equal(fromReferenceNo(referenceNo)?.slice(-2), `0${payer.number}`);
    await assert.rejects(approve(payer, beneficiary, referenceNo, { isSilent: true }), ResolutionUnknown);
    await assert.rejects(approve(payer, beneficiary, referenceNo, { isAhead: true }), ResolutionUnknown);
    assert.equal(await balanceOf(payer), before.payer);
    assert.deepEqual(await approve(payer, beneficiary, referenceNo), { kind: "recorded" });
    assert.deepEqual(await approve(payer, beneficiary, referenceNo), { kind: "recorded" });
    assert.equal(await balanceOf(payer), before.payer - 25_000n);
    await eventually(async () => (await balanceOf(beneficiary)) === before.beneficiary + 25_000n);
    const status = await caller.call(statusPath, {
      serviceCode: "19",
      originalReferenceNo: referenceNo,
      transactionDate: formatTimestamp(Date.now()),
    });
    expectCode(status, "2003600");
    assert.equal(fieldsOf(status)["latestTransactionStatus"], "00");
  });
}

const beside = { ...places.home, accountNo: "1000009999" };
await openIn(home.url, { accountNo: beside.accountNo, cell: 0, partners: [partner] });
const setStatus = ({ ownerUrl, accountNo }: Place, status: string) =>
  withClient(ownerUrl, (client) =>
    client.query("update accounts set status = $2 where account_no = $1", [accountNo, status]),
  );

for (const [where, beneficiary] of [
  ["the other cell", places.cell],
  ["the payer's cell", beside],
] as const) {
  test(`while the beneficiary's account is on its way to ${where} an approval takes nothing, and is repeated`, async () => {
    const before = await balanceOf(beneficiary);
    const asked = await ask(ofHome, beneficiary.accountNo);
    expectCode(asked, "2001900");
    const referenceNo = String(fieldsOf(asked)["referenceNo"]);
    await setStatus(beneficiary, "arriving");
    await assert.rejects(approve(places.home, beneficiary, referenceNo), ResolutionUnknown);
    await assert.rejects(approve(places.home, beneficiary, referenceNo), ResolutionUnknown);
    await setStatus(beneficiary, "active");
    assert.deepEqual(await approve(places.home, beneficiary, referenceNo), { kind: "recorded" });
    assert.deepEqual(await approve(places.home, beneficiary, referenceNo), { kind: "recorded" });
    await eventually(async () => (await balanceOf(beneficiary)) === before + 25_000n);
  });
}

test("a beneficiary that the other cell does not have is rejected", async () => {
  expectCode(await ask(ofHome, "510000000099"), "4041911");
});

test("an approval takes nothing from a payer who has too little", async () => {
  const all = await balanceOf(places.cell);
  const asked = await ask(ofCell, ofHome, `${all / 100n + 1n}.00`);
  expectCode(asked, "2001900");
  const answer = await approve(places.cell, places.home, String(fieldsOf(asked)["referenceNo"]));
  assert.equal(answer.kind === "rejected" && answer.rejection.kind, "insufficientFunds");
  assert.equal(minor(await balanceOf(places.cell)), all);
});

test("both cells are in order", async () => {
  for (const { ownerUrl } of Object.values(places)) {
    const { findings } = await runAudit(ownerUrl);
    assert.deepEqual(findings, []);
  }
});
