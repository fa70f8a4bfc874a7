// Two nodes of production with home and a further cell on rails of files: each cell has its own directories, and its own leases.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually, fieldsOf } from "../support/black-box/answers.ts";
import { bulkBody, bulkPath, untilBulkEnds } from "../support/black-box/bulks.ts";
import type { Caller } from "../support/black-box/caller.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { startFileNodes } from "../support/black-box/rails/file-nodes.ts";
import { interbank, skn } from "../support/black-box/rails/rail-services.ts";
import { railBody, untilStatus } from "../support/black-box/rails/rail-transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { queryRows } from "../support/database/with-client.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
assert.ok((await add(home.url, cell.url)).ok);
const cells = writeCells(`1 ${cell.url} ${ranges}`);
const adminCells = writeCells(`1 ${administrationUrlOf(cell.url)} ${ranges}`);
const nodes = await startFileNodes(50, { homeUrl: home.url, cellsFile: cells.file });
after(async () => {
  await nodes[Symbol.asyncDispose]();
  for (const one of [cells, adminCells]) one[Symbol.dispose]();
  await home.drop();
  await cell.drop();
});
const { production, second, folders, linesIn, callerOf } = nodes;
const [ofHome = "", ofCell = "510000000001"] = [production.caller.partner.sourceAccounts[0]];
const [partner] = (await queryRows(home.ownerUrl, "select id from partners")) as readonly { readonly id: string }[];
await openIn(cell.url, { accountNo: ofCell, cell: 1, partners: [partner?.id ?? ""] });
const [atHome = "", , sknAtHome = "", atCell = "", , sknAtCell = ""] = folders;
const payersIn = (folder: string) => linesIn(folder).map((line) => line["payerAccountNo"]);

async function sendAll(caller: Caller): Promise<void> {
  for (const from of [ofHome, ofCell]) {
    for (const service of [interbank, skn]) {
      const answer = await caller.call(service.path, railBody(service, from));
      assert.match(answer.code, /^20[02]/, answer.text);
      await untilStatus(caller, service, answer, "00");
    }
    await untilBulkEnds(caller, await caller.call(bulkPath, bulkBody(from, 2)));
  }
}

test("each payer's transfers are lines of its own cell's directory, with sequences from 1, and settle by its results", async () => {
  await Promise.all([sendAll(production.caller), sendAll(callerOf(second.baseUrl))]);
  for (const [folder, from, count] of [
    [atHome, ofHome, 6],
    [sknAtHome, ofHome, 2],
    [atCell, ofCell, 6],
    [sknAtCell, ofCell, 2],
  ] as const) {
    assert.deepEqual(
      payersIn(folder),
      Array.from({ length: count }, () => from),
    );
    const sequences = linesIn(folder).map(({ sequence }) => Number(sequence));
    assert.deepEqual(
      sequences.toSorted((one, other) => one - other),
      sequences.map((_sequence, index) => index + 1),
    );
  }
  assert.notEqual(linesIn(atHome)[0]?.["ledgerId"], linesIn(atCell)[0]?.["ledgerId"]);
});

test("a result of another cell's number moves nothing, and is set aside", async () => {
  const referenceNo = linesIn(atCell)[0]?.referenceNo;
  appendFileSync(join(atHome, "results", "b.jsonl"), `${JSON.stringify({ referenceNo, result: "returned" })}\n`);
  const setAside = () => queryRows(home.ownerUrl, "select reference_no, reason from set_aside_results");
  await eventually(async () => (await setAside()).length > 0);
  assert.deepEqual(await setAside(), [{ reference_no: referenceNo, reason: "unknown" }]);
  assert.deepEqual(await queryRows(cell.ownerUrl, "select 1 from transfers where state = 'returned'"), []);
});

test("the node with the leases of both cells is killed: the other one sends for both, and writes nothing twice", async () => {
  await production.service.end("SIGKILL");
  const left = callerOf(second.baseUrl);
  for (const from of [ofHome, ofCell])
    await eventually(async () => /^20[02]/.test((await left.call(interbank.path, railBody(interbank, from))).code));
  await sendAll(left);
  for (const folder of folders) {
    const numbers = linesIn(folder).map(({ referenceNo }) => referenceNo);
    assert.equal(new Set(numbers).size, numbers.length);
  }
  for (const { ownerUrl } of [home, cell])
    await eventually(
      async () =>
        (await queryRows(ownerUrl, "select 1 from transfers where is_open and state <> 'queued'")).length === 0,
    );
});

test("a return of a payment of before is credited in the cell that its payer has left, and goes on to the payer", async () => {
  const caller = callerOf(second.baseUrl);
  const sent = await caller.call(interbank.path, railBody(interbank, ofCell));
  await untilStatus(caller, interbank, sent, "00");
  const env = {
    ...productionSettings(home.url),
    TITIAN_ADMIN_DATABASE_URL: administrationUrlOf(home.url),
    TITIAN_ADMIN_CELLS: adminCells.file,
  };
  const moved = await runCli(["account", "move", ofCell, "--to", "0"], { env });
  assert.equal(moved.exitCode, 0, moved.stderr);
  const balance = async () => {
    const rows = await queryRows(
      home.ownerUrl,
      `select balance from accounts where account_no = '${ofCell}' and status = 'active'`,
    );
    return (rows as readonly { readonly balance: string }[])[0]?.balance;
  };
  await eventually(async () => (await balance()) !== undefined);
  const before = BigInt((await balance()) ?? 0);
  const result = { referenceNo: fieldsOf(sent)["referenceNo"], result: "returned" };
  appendFileSync(join(atCell, "results", "b.jsonl"), `${JSON.stringify(result)}\n`);
  await eventually(async () => BigInt((await balance()) ?? 0) === before + interbank.amount);
  // New transfers of it are home's.
  const later = await caller.call(interbank.path, railBody(interbank, ofCell));
  await untilStatus(caller, interbank, later, "00");
  assert.equal(payersIn(atHome).at(-1), ofCell);
});
