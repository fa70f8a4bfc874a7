// The sandbox's control calls over two databases: each is made in the cell of what it names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { eventually, fieldsOf } from "../support/black-box/answers.ts";
import { type Json, newNumber } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { withDatabase } from "../support/database/template.ts";
import { runStatements } from "../support/database/with-client.ts";
import { expectCode, transferBody, transferPath } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox({}, { database: "split" });
after(() => sandbox[Symbol.asyncDispose]());
const { control } = sandbox;
const alpha = sandbox.caller("alpha");
/** The first is in cell 1, the second in home. */
const [ofCell = "", ofHome = ""] = alpha.partner.sourceAccounts;

interface Listed {
  readonly accounts: readonly { readonly accountNo: string }[];
}
const numbersIn = async (query: string) =>
  (await control.call<Listed>("GET", `accounts?limit=1000${query}`)).accounts.map(({ accountNo }) => accountNo);

test("the seeded accounts lie where their numbers belong, and each is found", async () => {
  const [inHome, inCell] = [await numbersIn(""), await numbersIn("&cell=1")];
  assert.ok(inHome.includes(ofHome) && !inHome.includes(ofCell));
  assert.ok(inCell.includes(ofCell) && !inCell.includes(ofHome));
  assert.deepEqual([...inHome, ...inCell].toSorted(), sandbox.file.accounts.map((one) => one.accountNo).toSorted());
  assert.deepEqual(await numbersIn("&cell=0"), inHome);
  for (const accountNo of [ofCell, ofHome]) assert.equal((await control.account(accountNo)).accountNo, accountNo);
  // Each account's id says its cell.
  for (const [accountNo, end] of [
    [ofCell, "01"],
    [ofHome, "00"],
  ] as const) {
    const { accountId } = await control.account(accountNo);
    assert.equal(fromReferenceNo(accountId)?.slice(-2), end);
    assert.equal((await control.account(accountId)).accountNo, accountNo);
  }
});

test("a call that names a cell and something of another one is rejected, and so is a cell that there is not", async () => {
  for (const path of [`accounts/${ofCell}?cell=0`, "accounts?cell=7", `holds?accountNo=${ofHome}&cell=1`])
    await assert.rejects(control.call("GET", path), /400 .*"code":"invalidField"/);
  for (const path of ["partners?cell=1", "merchants?cell=1", "clock?cell=1"])
    await assert.rejects(control.call("GET", path), /400 .*has no \\?"cell/);
  await assert.rejects(
    control.call("POST", "corrections", {
      entries: [
        { accountNo: ofHome, direction: "debit", amount: "1.00" },
        { accountNo: ofCell, direction: "credit", amount: "1.00" },
      ],
      reference: newNumber(),
      reason: "a test",
    }),
    /is in cell 1/,
  );
});

test("an account is changed, given money and closed in its cell", async () => {
  const before = await control.balances(ofCell, ofHome);
  await control.call("POST", `accounts/${ofCell}/fund`, { amount: "10.00", reference: newNumber(), reason: "a test" });
  assert.deepEqual(await control.balances(ofCell, ofHome), [(before[0] ?? 0n) + 1_000n, before[1]]);
  assert.equal((await control.change(ofCell, { status: "blocked" })).status, "blocked");
  expectCode(await alpha.call(transferPath, transferBody({ from: ofCell, to: ofHome })), "4031718");
  assert.equal((await control.change(ofCell, { status: "active" })).status, "active");
});

test("what is known by a partner's number alone is looked for in all cells", async () => {
  const [first, second] = [newNumber(), newNumber()];
  for (const [from, to, partnerReferenceNo] of [
    [ofCell, ofHome, first],
    [ofHome, ofCell, second],
  ] as const) {
    const answer = await alpha.call(transferPath, transferBody({ from, to, partnerReferenceNo }));
    expectCode(answer, "2001700");
    const referenceNo = String(fieldsOf(answer)["referenceNo"]);
    assert.equal(fromReferenceNo(referenceNo)?.slice(-2), from === ofCell ? "01" : "00");
    const { requests } = await control.call<{ readonly requests: readonly { readonly referenceNo: string }[] }>(
      "GET",
      `partners/alpha/requests/${partnerReferenceNo}`,
    );
    assert.deepEqual(
      requests.map((one) => one.referenceNo),
      [referenceNo],
    );
    const { matches } = await control.call<{ readonly matches: readonly { readonly referenceNo?: string }[] }>(
      "GET",
      `search?number=${partnerReferenceNo}`,
    );
    assert.deepEqual(
      matches.map((one) => one.referenceNo),
      [referenceNo],
    );
    const timeline = await control.call<{ readonly referenceNo: string }>("GET", `timeline/${referenceNo}`);
    assert.equal(timeline.referenceNo, referenceNo);
  }
});

test("cells are listed with their ranges, and how far payments from one to another are", async () => {
  const { cells, streams } = await control.call<{
    readonly cells: readonly Json[];
    readonly streams: readonly { readonly from: number; readonly to: number; readonly stopped: readonly string[] }[];
  }>("GET", "cells");
  assert.deepEqual(cells[0], { number: 0, isReachable: true });
  assert.deepEqual([cells[1]?.["number"], cells[1]?.["isReachable"]], [1, true]);
  assert.match(String(cells[1]?.["ranges"]), /1001000001-1001000001/);
  assert.deepEqual(
    streams
      .map(({ from, to, stopped }) => [from, to, stopped])
      .toSorted(([one = 0], [other = 0]) => Number(one) - Number(other)),
    [
      [0, 1, []],
      [1, 0, []],
    ],
  );
});

test("the audit is of all cells, and compares what they have sent", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

test("a cell that is silent is named, and what is in home is shown", async () => {
  const [, url = ""] = readFileSync(sandbox.cells["TITIAN_CELLS"] ?? "", "utf8").split(" ");
  const name = new URL(url).pathname.slice(1);
  const server = withDatabase(sandbox.ownerUrl ?? "", "postgres");
  await runStatements(server, [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ]);
  await assert.rejects(control.account(ofCell), /503 .*cell 1 does not answer/);
  await assert.rejects(control.call("GET", "search?number=1"), /503 .*cell 1 does not answer/);
  assert.equal((await control.account(ofHome)).accountNo, ofHome);
  const { cells } = await control.call<{ readonly cells: readonly Json[] }>("GET", "cells");
  assert.deepEqual(
    cells.map((one) => one["isReachable"]),
    [true, false],
  );
  await runStatements(server, [`alter database ${name} allow_connections true`]);
  await eventually(async () => (await control.account(ofCell).catch(() => undefined)) !== undefined);
});
