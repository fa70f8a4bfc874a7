// Adding a cell, and what is rejected: a database of something else, a changed line, a node that knows of no cells.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { findCellFault, findHomeFaults } from "../../packages/server/src/admin/cells/check-cells.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { startPlainCore } from "../support/plain-core.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { withClient } from "../support/database/with-client.ts";
import { eventually } from "../support/black-box/answers.ts";
import { add, cellsOf, openIn, ranges } from "./cell-fixture.ts";

const [home, cell, other] = [await useDatabase(), await useDatabase(), await useDatabase()];
const homePool = createAdminPool(home.url, 1);
const cellPool = createAdminPool(cell.url, 1);
const otherPool = createAdminPool(other.url, 1);
after(async () => {
  await endPools(homePool, cellPool, otherPool);
  for (const database of [home, cell, other]) await database.drop();
});

const line = `1 ${cell.url} ${ranges}`;
const messageOf = (result: Awaited<ReturnType<typeof add>>) => (result.ok ? "added" : result.rejection.message);

test("a range with an account of home is rejected", async () => {
  await openIn(home.url, {
    accountNo: "520000000001",
    cell: 0,
    partners: ["01900000-0000-7000-8000-000000000001"],
    balance: 0n,
  });
  assert.match(
    messageOf(await add(home.url, cell.url, `1 ${cell.url} 520000000000-529999999999`)),
    /Cell 1 was not added: home has accounts with these numbers\./,
  );
});

test("a database with accounts of holders is no new cell", async () => {
  await openIn(other.url, { accountNo: "1", cell: 0, partners: ["01900000-0000-7000-8000-000000000001"], balance: 0n });
  assert.match(messageOf(await add(home.url, other.url)), /begins with an empty database/);
});

test("while a node of an older release is connected no cell is added", async () => {
  const older = new Client({ connectionString: home.url, application_name: "titian probe" });
  await older.connect();
  assert.match(messageOf(await add(home.url, cell.url)), /older release/);
  await older.end();
});

test("a running node hears of a cell that is added, and adding it again changes nothing", async () => {
  await using node = await startPlainCore(home.url, { environment: "production" });
  assert.deepEqual(node.reference.current().directory.cells, [0]);
  assert.equal(messageOf(await add(home.url, cell.url)), "added");
  await eventually(() => node.reference.current().directory.cells.length === 2);
  const { directory } = node.reference.current();
  assert.deepEqual(
    [directory.cellOf("510000000001"), directory.cellOf("520000000001"), directory.cellOf("5100")],
    [1, 0, 0],
  );
  assert.ok((directory.since ?? 0) < Date.now());
  assert.equal(messageOf(await add(home.url, cell.url)), "added");
  assert.match(
    messageOf(await add(home.url, cell.url, `1 ${cell.url} 530000000000-539999999999`)),
    /home lists cell 1 with 51/,
  );
});

test("a cell that home lists is not added again with another database, and none is marked", async () => {
  await using empty = await useDatabase();
  for (const _ of [1, 2])
    assert.match(
      messageOf(await add(home.url, empty.url)),
      /not that of cell 1, which home lists: correct the address, or restore/,
    );
  assert.match(messageOf(await add(home.url, home.url)), /its database is home, and not cell 1/);
});

test("a command that was stopped behind the record of the database goes on where it stopped", async () => {
  await withClient(home.ownerUrl, (client) => client.query("delete from cells"));
  assert.equal(messageOf(await add(home.url, cell.url)), "added");
});

test("a database under a second number is rejected", async () => {
  const again = await add(home.url, cell.url, `2 ${cell.url} 540000000000-549999999999`);
  assert.match(messageOf(again), /its database is cell 1 of this installation/);
});

test("a cell of one installation cannot be added to another", async () => {
  await using third = await useDatabase();
  const message = messageOf(await add(third.url, cell.url));
  assert.match(message, /of another installation/);
});

test("a cell's database is no home", async () => {
  await using third = await useDatabase();
  assert.match(
    messageOf(await add(cell.url, third.url, `3 ${third.url} 550000000000-559999999999`)),
    /cells are added to home/,
  );
  assert.match((await findHomeFaults(cellPool, [])).join(), /DATABASE_URL is the database of cell 1/);
  await assert.rejects(startPlainCore(cell.url, { environment: "production" }), /the database of cell 1/);
});

const faults: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a cell that the file lacks", [], /no line for cell 1, which home lists with 51/],
  ["a cell that home does not list", [line, `2 ${other.url} 56-57`], /line 2: home does not list cell 2 yet/],
  ["other ranges", [`1 ${cell.url} 510000000000-518888888888`], /line 1: home lists cell 1 with 51/],
];

for (const [name, lines, expected] of faults) {
  test(`a service does not start with ${name}`, async () => {
    assert.match((await findHomeFaults(homePool, cellsOf(...lines))).join(), expected);
  });
}

test("the file as home's list has no fault", async () => {
  assert.deepEqual(await findHomeFaults(homePool, cellsOf(line)), []);
});

test("an address that leads to another database is told with its line", async () => {
  const [address] = cellsOf(line);
  assert.ok(address);
  assert.equal(await findCellFault(homePool, cellPool, address), undefined);
  assert.match(
    (await findCellFault(homePool, otherPool, address)) ?? "",
    /line 1: its database is not that of cell 1,/,
  );
  assert.match(
    (await findCellFault(homePool, otherPool, { ...address, number: 2 })) ?? "",
    /line 1: its database was not added as a cell yet: titian cells add 2/,
  );
  assert.match(
    (await findCellFault(homePool, homePool, address)) ?? "",
    /line 1: its database is home, and not cell 1/,
  );
  assert.match((await findCellFault(homePool, cellPool, { ...address, number: 2 })) ?? "", /is cell 1, and not cell 2/);
  await using third = await useDatabase();
  await withClient(third.ownerUrl, (client) =>
    client.query(`insert into service_state values ('cell', '{"installation":"another","number":1}')`),
  );
  const thirdPool = createAdminPool(third.url, 1);
  const found = await findCellFault(homePool, thirdPool, address);
  await endPools(thirdPool);
  assert.match(found ?? "", /a cell of another installation/);
});
