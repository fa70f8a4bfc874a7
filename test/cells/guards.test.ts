// Guards of the database, when a cell is added while something else happens (0057-cells.sql).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { useDatabase } from "../support/database/database.ts";
import { insertRow, validRows } from "../support/database/valid-rows.ts";
import { queryRows, runStatements, withClient } from "../support/database/with-client.ts";
import { add } from "./cell-fixture.ts";

const account = (accountNo: string, purpose = "customer") => ({
  ...validRows.accounts(),
  account_no: accountNo,
  purpose,
});

async function useTwo() {
  await using stack = new AsyncDisposableStack();
  const [home, cell] = [stack.use(await useDatabase()), stack.use(await useDatabase())];
  const line = `1 ${cell.url} 2000000000-2999999999 A0-AZ`;
  const owned = stack.move();
  return { home, cell, line, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const told = (result: Awaited<ReturnType<typeof add>>) => (result.ok ? "added" : result.rejection.message);

/** Resolves when so many commands wait for a lock. */
async function waiting(client: Client, count: number): Promise<void> {
  const text = `select distinct pid from pg_stat_activity join pg_locks using (pid)
    where datname = current_database() and application_name = 'titian administration' and not granted`;
  for (let tries = 0; (await client.query(text)).rowCount !== count; tries += 1) {
    assert.ok(tries < 150, "nobody waits");
    await sleep(10);
  }
}

test("an account that is being opened while its cell is added keeps the cell from being added", async () => {
  await using two = await useTwo();
  const { home, cell, line } = two;
  await withClient(home.ownerUrl, (watcher) =>
    withClient(home.ownerUrl, async (opener) => {
      await opener.query("begin");
      await insertRow(opener, "accounts", account("2000000001"));
      const adding = add(home.url, cell.url, line);
      await waiting(watcher, 1);
      await opener.query("commit");
      assert.equal(told(await adding), "Cell 1 was not added: home has accounts with these numbers.");
    }),
  );
  assert.deepEqual(await queryRows(home.ownerUrl, "select from cells"), []);
});

test("an act that opens an account of the cell and is still open keeps the cell from being added", async () => {
  await using two = await useTwo();
  const { home, cell, line } = two;
  await runStatements(home.ownerUrl, [
    `insert into open_acts (act_id, kind, target, reference, state, expires_at)
      values ('${newId()}', 'accountOpening', '2000000001', 'r', 'approved', now() + interval '1 day')`,
  ]);
  const message = told(await add(home.url, cell.url, line));
  assert.match(message, /an act that opens an account with one of these numbers is open\.$/);
});

test("an opening that takes longer than 2 s ends the command, which is run again", async () => {
  await using two = await useTwo();
  const { home, cell, line } = two;
  await withClient(home.ownerUrl, async (opener) => {
    await opener.query("begin");
    await insertRow(opener, "accounts", account("5"));
    const message = /^Cell 1 was not added: another change of .* took longer than 2 s\. Run the command again\.$/;
    await assert.rejects(add(home.url, cell.url, line), { name: "AdminError", message });
    await opener.query("rollback");
  });
  assert.equal(told(await add(home.url, cell.url, line)), "added");
});

test("of two cells with common numbers that are added at once, one is rejected", async () => {
  await using two = await useTwo();
  await using other = await useDatabase();
  const { home, cell, line } = two;
  const results = await withClient(home.ownerUrl, (watcher) =>
    withClient(home.ownerUrl, async (holder) => {
      await holder.query("begin; update reference_version set version = version + 1 where id = 1");
      const adding = [add(home.url, cell.url, line), add(home.url, other.url, `2 ${other.url} A9-B0`)];
      await waiting(watcher, 2);
      await holder.query("commit");
      return (await Promise.all(adding)).map(told);
    }),
  );
  assert.equal(results.filter((one) => one === "added").length, 1, results.join("\n"));
  const rejected = results.find((one) => one !== "added") ?? "";
  assert.match(rejected, /was not added: cell [12] has some of these account numbers\.$/);
  assert.equal((await queryRows(home.ownerUrl, "select from cells")).length, 1);
});

test("home rejects an account whose number is a cell's, but for our own", async () => {
  await using two = await useTwo();
  const { home, cell, line } = two;
  await add(home.url, cell.url, line);
  await withClient(home.ownerUrl, async (client) => {
    const put = (accountNo: string, purpose?: string) => insertRow(client, "accounts", account(accountNo, purpose));
    for (const accountNo of ["2000000000", "2500000000", "2999999999", "A0", "AZ"])
      await assert.rejects(put(accountNo), { code: "23514", constraint: "accounts_of_home" }, accountNo);
    for (const accountNo of ["1999999999", "3000000000", "200000000", "20000000000", "A", "AZZ", "a0", "Aa"])
      await put(accountNo);
    await put("A:", "fee");
  });
});

test("a cell is listed with account numbers alone that have an order", async () => {
  await using two = await useTwo();
  const administration = administrationUrlOf(two.home.url);
  for (const ranges of [
    [{ from: "1", to: "22" }],
    [{ from: "2", to: "1" }],
    [{ from: "1_", to: "2_" }],
    [{ from: "1" }],
  ]) {
    const statement = `select add_cell(1, '${JSON.stringify(ranges)}', '${newId()}')`;
    await assert.rejects(runStatements(administration, [statement]), { code: "23001" }, JSON.stringify(ranges));
  }
  assert.deepEqual(await queryRows(two.home.ownerUrl, "select from cells"), []);
});

test("the first cell stops nodes of releases that know of none", async () => {
  await using two = await useTwo();
  const breaking = () => queryRows(two.home.ownerUrl, "select breaking from migrations where number = 57");
  assert.deepEqual(await breaking(), [{ breaking: false }]);
  await add(two.home.url, two.cell.url, two.line);
  assert.deepEqual(await breaking(), [{ breaking: true }]);
});

test("merchants and consents may have accounts that are in another cell", async () => {
  await using home = await useDatabase();
  const [partner, elsewhere] = [newId(), newId()];
  await runStatements(home.ownerUrl, [
    `insert into partners (id, partner_id, client_key, name, status, signing, channel_id, settings, version, created_at)
      values ('${partner}', 'p', 'k', 'n', 'active', 'symmetric', '1', '{}', 1, now())`,
    `insert into merchants (id, partner, merchant_id, name, status, settlement_account_id, payer_account_id, settings, version, created_at)
      values ('${newId()}', '${partner}', 'm', 'n', 'active', '${elsewhere}', '${elsewhere}', '{}', 1, now())`,
    `insert into customer_grants (id, partner, account_id, generation, hash, expires_at)
      values ('${newId()}', '${partner}', '${elsewhere}', 0, decode(repeat('00', 32), 'hex'), now())`,
  ]);
});
