// Commands on an installation with a cell: they list, check and add it, and work on its accounts.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { startNode } from "../support/administration.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { newPublicKey } from "../support/partners.ts";
import { ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
// A node publishes the key that client secrets are sealed with.
await (await startNode(home.url)).close();
const workDir = mkdtempSync(join(tmpdir(), "titian-cell-commands-"));
const keyFile = join(workDir, "public-key.pem");
writeFileSync(keyFile, newPublicKey());
const cellUrl = administrationUrlOf(cell.url);
const cells = writeCells(`1 ${cellUrl} ${ranges}`);
after(async () => {
  await home.drop();
  await cell.drop();
  rmSync(workDir, { recursive: true });
  cells[Symbol.dispose]();
});

const env = {
  TITIAN_SANDBOX: "0",
  TITIAN_ADMIN_DATABASE_URL: administrationUrlOf(home.url),
  TITIAN_ADMIN_CELLS: cells.file,
};
const titian = (line: string, more: Readonly<Record<string, string>> = {}) =>
  runCli(line.split(" "), { env: { ...env, ...more } });
const namesIn = async (url: string, column: string) =>
  (await queryRows(url, `select ${column} as name from accounts where purpose = 'customer' order by account_no`)).map(
    (row) => (row as { readonly name: string }).name,
  );

test("a cell is checked before and after it is added", async () => {
  const before = await titian("cells check");
  assert.equal(before.exitCode, 1, before.stderr);
  assert.match(before.stdout, /line 1: home does not list cell 1 yet: titian cells add 1/);
  const added = await titian("cells add 1");
  assert.equal(added.exitCode, 0, added.stderr);
  assert.match(added.stdout, /Cell 1 has the account numbers 510000000000-519999999999/);
  const sound = await titian("cells check");
  assert.equal(sound.exitCode, 0, sound.stdout);
  assert.match(sound.stdout, /all agree on what they sent to each other/);
  const listed = await titian("cells list");
  assert.match(listed.stdout, /0 \(home\) +all other numbers\s+1 +510000000000-519999999999 /);
  assert.doesNotMatch(listed.stdout + sound.stdout, /password/);
});

test("a number that the file does not have is told", async () => {
  const added = await titian("cells add 2");
  assert.match(added.stderr, /has no line for cell 2/);
  const opened = await titian("--cell 2 account open --name Siti");
  assert.match(opened.stderr, /has no line for cell 2: titian cells list/);
  const named = await titian("--cell one account list");
  assert.match(named.stderr, /--cell takes the number of a cell/);
});

test("accounts of a cell are opened there, by its numbers, for partners of home", async () => {
  const partner = await titian(`partner add SHOP01 --name Shop --public-key ${keyFile}`);
  assert.equal(partner.exitCode, 0, partner.stderr);
  const wrong = await titian("account open --name Siti --account-no 510000000001");
  assert.match(wrong.stderr, /510000000001 is a number of cell 1: name it with --cell 1/);
  const other = await titian("--cell 1 account open --name Siti --account-no 700000000001");
  assert.match(other.stderr, /700000000001 is a number of home, in no range of a cell: leave --cell out/);
  const open = "--cell 1 account open --name Siti --account-no 510000000001 --balance 50000.00 --partner SHOP01";
  const lacking = await titian(open);
  assert.match(lacking.stderr, /SHOP01 may have no account in cell 1 yet: titian partner change SHOP01 --cells 0,1/);
  const wrongCells = await titian("partner change SHOP01 --cells 0,one");
  assert.match(wrongCells.stderr, /--cells one: a cell is a number, 0 for home/);
  const changed = await titian("partner change SHOP01 --cells 0,1");
  assert.equal(changed.exitCode, 0, changed.stderr);
  const { stdout: terms } = await titian("partner show SHOP01");
  assert.match(terms, /cells +0, 1 \(from \d{4}-/);
  const opened = await titian(open);
  assert.equal(opened.exitCode, 0, opened.stderr);
  const made = await titian("account open --name Budi --cell 1");
  assert.equal(made.exitCode, 0, made.stderr);
  const [first, second] = await namesIn(cell.ownerUrl, "account_no");
  assert.equal(first, "510000000001");
  assert.match(String(second), /^51\d{10}$/);
  assert.deepEqual(await namesIn(home.ownerUrl, "account_no"), []);
  assert.deepEqual(await namesIn(cell.ownerUrl, "right(id::text, 2)"), ["01", "01"]);
  const shown = await titian("account show 510000000001 --cell 1");
  assert.match(shown.stdout, /Siti/);
});

test("consents for an account of a cell are listed and revoked, in home", async () => {
  const code = await titian("auth-code new --partner SHOP01 --account 510000000001");
  assert.equal(code.exitCode, 0, code.stderr);
  const list = "consent list --account 510000000001";
  assert.match((await titian(list)).stdout, /SHOP01 +510000000001 +code /);
  const unnamed = await titian(list, { TITIAN_ADMIN_CELLS: "" });
  assert.match(unnamed.stderr, /has no line for cell 1: titian cells list/);
  const revoked = await titian("consent revoke --partner SHOP01 --account 510000000001 --reason asked");
  assert.equal(revoked.exitCode, 0, revoked.stderr);
  const { stdout } = await titian(list);
  assert.doesNotMatch(stdout, /510000000001 +code/);
  assert.match(stdout, /\nRevoked\n[^]*SHOP01 .*asked/);
  assert.match((await titian("consent list --account 510000000002")).stderr, /There is no account 510000000002/);
});

test("a number of ours leads a replay of its notifications to its cell", async () => {
  const ran = await titian(`notification replay --reference ${toReferenceNo(newId(1))} --yes`);
  assert.equal(ran.exitCode, 0, ran.stderr);
  assert.match(ran.stderr, /^Cell 1: /m);
  assert.match(ran.stdout, /There is no such notification/);
});

test("nothing is adopted where no cell has lost anything", async () => {
  for (const line of ["cells adopt 1", "cells adopt 0 --reason none"]) {
    const ran = await titian(line);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stderr, /Cell [01] has no payment that cell [01] has lost/);
  }
  assert.match((await titian("cells adopt 7")).stderr, /has no line for cell 7/);
});

test("what all cells have in common is changed in home alone", async () => {
  for (const line of ["switch close intake --reason x", "partner list", "merchant list"]) {
    const ran = await titian(`${line} --cell 1`);
    assert.match(ran.stderr, /works on home, which has partners, merchants, switches and consents for all cells/, line);
  }
});

test("a cell's database is not taken for home", async () => {
  const ran = await titian("account open --name Siti", { TITIAN_ADMIN_DATABASE_URL: cellUrl });
  assert.match(ran.stderr, /This is the database of cell 1: name home's instead, and the cell by --cell 1/);
});

test("a command with one database says how a cell is named to it", async () => {
  const ran = await titian("audit --cell 1", { DATABASE_URL: home.url });
  assert.match(ran.stderr, /works on the database of DATABASE_URL: name the cell's there, and leave --cell out/);
});

test("a cell cannot be added to a bank that has operators before it has its own", async () => {
  await using third = await useDatabase();
  await runStatements(home.ownerUrl, [
    "insert into operators (id, issuer, subject, name) values (gen_random_uuid(), 'https://login.bank.example', 'budi', 'Budi')",
  ]);
  using file = writeCells(`1 ${cellUrl} ${ranges}`, `2 ${administrationUrlOf(third.url)} 610000000000-619999999999`);
  const added = await titian("cells add 2", { TITIAN_ADMIN_CELLS: file.file });
  assert.match(added.stderr, /titian operators bootstrap/);
  const checked = await titian("cells check");
  assert.match(checked.stdout, /line 1: home has operators, and cell 1 has none/);
});
