// Partitions with entries that another cell has not mirrored stay attached, and go once it has.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { detachPartitions } from "../../packages/server/src/admin/partitions.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { makePartition } from "../../packages/server/src/store/partitions/partitions.ts";
import { writeCells } from "../cells/cell-fixture.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startAddress } from "../support/database/address.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { fillLedger } from "../support/database/large-ledger.ts";
import { queryRows } from "../support/database/with-client.ts";
import { newProviderKey } from "../support/provider-key.ts";
import { inNo, outNo, pay, ship, spoil, startEngine, useCell } from "./transit-fixture.ts";

const day = 86_400_000;
const [first = 0, second = 0] = [210, 203].map((ago) => Math.floor(Date.now() / day - ago) * day);
const providerKey = newProviderKey();
const [a, b] = [await useCell(), await useCell()];
after(async () => {
  await a.drop();
  await b.drop();
});
const installation = newId();
const nameCell = (number: number) =>
  `insert into service_state (name, value) values ('cell', '${JSON.stringify({ installation, number })}')
    on conflict (name) do update set value = excluded.value`;

// 10 entries to cell 2 in the first period, and 10 in the second; audited, and without external ids.
const pool = createAdminPool(a.url, 1);
for (const from of [first, second]) {
  for (const table of ["entries", "accepted_requests"] as const)
    assert.ok(await makePartition(pool, table, { from, to: from + 7 * day }));
}
await endPools(pool);
for (const [position, from] of [first, second].entries())
  await fillLedger(a.ownerUrl, { after: position * 10, transfers: 10, accounts: 20, startMs: from + day });
await spoil(
  a.ownerUrl,
  `update accounts set account_no = '${outNo}', purpose = 'transit', type = 'D' where account_no = '0000000000'`,
  `insert into service_state (name, value) select name, to_json(id_at(now())::text) from unnest('{audit_watermark,external_ids_released}'::text[]) name`,
);

/** Days of the first period alone, or of both. */
const [ofFirst, ofBoth] = [first + 8 * day, second + 8 * day];
const toB = { number: 2, url: b.url };
const obstaclesOf = async (before: number, cells = [toB], url = a.ownerUrl) =>
  (await detachPartitions(url, before, providerKey, { cells })).obstacles;
const attached = async (url = a.ownerUrl) =>
  (
    await queryRows(
      url,
      "select from partitions where parent = 'entries' and not is_default and from_id < id_at(now() - interval '100 days')",
    )
  ).length;

test("a database that is no cell's asks no other one", async () => {
  await using copy = await copyDatabase(a.ownerUrl);
  assert.deepEqual(await obstaclesOf(ofBoth, [{ number: 2, url: "postgres://127.0.0.1:1/nowhere" }], copy.url), []);
  assert.equal(await attached(copy.url), 0);
});

test("nothing is detached while another cell cannot be asked, or lacks entries of that time", async () => {
  await spoil(a.ownerUrl, nameCell(1));
  assert.match(
    (await obstaclesOf(ofFirst, [])).join(),
    /^cell 2 has to be asked .* its address is not known: correct its line/,
  );
  await using silent = await startAddress(1);
  assert.match(
    (await obstaclesOf(ofFirst, [{ number: 2, url: silent.urlOf(b.url) }])).join(),
    /^cell 2 cannot be asked what it has of this database \(.+\): repeat it once it answers$/,
  );
  assert.match(
    (await obstaclesOf(ofFirst)).join(),
    /^the address of cell 2 leads to another database: correct its line/,
  );
  await spoil(b.ownerUrl, nameCell(2));
  assert.match((await obstaclesOf(ofFirst)).join(), /^cell 2 lacks 20 entries that were sent to it/);
  assert.equal(await attached(), 2);
});

const titian = (line: string, env: Readonly<Record<string, string>>) =>
  runCli(line.split(" "), { env: { TITIAN_SANDBOX: "0", TITIAN_PROVIDER_KEY: providerKey, ...env } });
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test("home is asked at the address of administration", async () => {
  await using copy = await copyDatabase(a.ownerUrl);
  await using home = await copyDatabase(b.ownerUrl);
  await spoil(copy.url, `update accounts set account_no = 'transit:out:IDR:00' where account_no = '${outNo}'`);
  await spoil(home.url, nameCell(0));
  const detach = async (more: Readonly<Record<string, string>>) => {
    const { exitCode, stderr } = await titian(`database detach --before ${dateOf(ofBoth)} --yes`, {
      DATABASE_URL: copy.url,
      ...more,
    });
    assert.equal(exitCode, 1, stderr);
    return stderr;
  };
  const unset = /Nothing was detached: home has to be asked .* is not known: set TITIAN_ADMIN_DATABASE_URL to home's/;
  assert.match(await detach({}), unset);
  assert.match(await detach({ TITIAN_ADMIN_DATABASE_URL: copy.url }), /the address of home leads to another database/);
  assert.match(await detach({ TITIAN_ADMIN_DATABASE_URL: home.url }), /Nothing was detached: home lacks 20 entries/);
});

/** Until entries of so many versions are mirrored; what its shipper told meanwhile. */
async function shipUntil(version: number): Promise<readonly string[]> {
  const engine = await startEngine(b.url);
  const shipping = ship(a.url, { url: b.url, engine });
  const isMirrored = await shipping.shipper.waitForMirror({ currency: "IDR", version }, 10_000);
  await shipping[Symbol.asyncDispose]();
  await engine.close();
  assert.ok(isMirrored, shipping.told.join());
  return shipping.told;
}

test("what is mirrored is detached, what is not stays, and the stream goes on behind it", async () => {
  await shipUntil(20);
  // As if its cell had been silent since the 10th.
  await using behind = await copyDatabase(b.ownerUrl);
  await spoil(behind.url, `update accounts set version = 10, balance = -1000 where account_no = '${inNo}'`);
  const toBehind = [{ number: 2, url: behind.url }];
  assert.match((await obstaclesOf(ofBoth, toBehind)).join(), /^cell 2 lacks 10 entries/);
  assert.deepEqual(await obstaclesOf(ofFirst, toBehind), []);
  assert.equal(await attached(), 1);
  await spoil(behind.url, `update accounts set balance = -1001 where account_no = '${inNo}'`);
  assert.match(
    (await obstaclesOf(ofBoth, toBehind)).join(),
    /^cell 2 does not agree .*\(transitMirrored\): titian cells check/,
  );
  using cells = writeCells(`1 ${a.url} 510000000000-519999999999`, `2 ${b.url} 520000000000-529999999999`);
  const line = `database detach --before ${dateOf(ofBoth)} --yes`;
  const detached = await titian(line, { DATABASE_URL: a.ownerUrl, TITIAN_ADMIN_CELLS: cells.file });
  assert.equal(detached.exitCode, 0, detached.stderr);
  assert.equal(await attached(), 0);
  const engine = await startEngine(a.url);
  await pay(engine, 5);
  await engine.close();
  assert.deepEqual(await shipUntil(25), []);
});
