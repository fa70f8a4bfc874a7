// Cells of a partner: given when it is onboarded, or added later from a time on; accounts are opened for partners of the cell alone.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { changePartner, onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { zero } from "../../packages/server/src/ledger/money.ts";
import { findPartner } from "../../packages/server/src/store/reference/reference.ts";
import { showPartner } from "../../packages/server/src/views/partners/credentials.ts";
import { startNode } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { add } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
assert.ok((await add(home.url, cell.url)).ok);
const node = await startNode(home.url);
after(async () => {
  await node.close();
  await home.drop();
  await cell.drop();
});

const cellsOf = async (partnerId: string) => (await findPartner(node.reads, partnerId))?.settings.cells;
/** Time from which a cell that is added takes calls. */
const soon = 420_000;

test("a partner is onboarded with its cells, and that may be repeated", async () => {
  const input = newPartner({ cells: [1, 0] });
  const { partnerId, key } = valueOf(await onboardPartner(node, input));
  valueOf(await onboardPartner(node, input));
  assert.deepEqual(await cellsOf(partnerId), [{ cell: 1 }, { cell: 0 }]);
  assert.deepEqual(node.reference.current().partners.get(key)?.cells, [{ cell: 1 }, { cell: 0 }]);
  assert.equal(rejectionOf(await onboardPartner(node, { ...input, cells: [1] })), "partnerExists partnerId");
});

test("home alone is what a partner has that nothing is said of", async () => {
  const input = newPartner({ cells: [0] });
  const { partnerId } = valueOf(await onboardPartner(node, input));
  valueOf(await changePartner(node, partnerId, { cells: [0] }));
  assert.equal(await cellsOf(partnerId), undefined);
  assert.equal((await showPartner({ pool: node.reads, clock: node.clock }, partnerId))?.cells, undefined);
});

test("a cell that is added takes calls once no node works with a copy of before", async () => {
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const from = Date.now();
  valueOf(await changePartner(node, partnerId, { cells: [0, 1] }));
  const cells = await cellsOf(partnerId);
  const since = cells?.[1]?.since ?? 0;
  assert.deepEqual(cells, [{ cell: 0 }, { cell: 1, since }]);
  assert.ok(since >= from + soon && since <= Date.now() + soon, `since ${since}`);
  valueOf(await changePartner(node, partnerId, { cells: [1, 0], name: "Later" }));
  assert.deepEqual(await cellsOf(partnerId), cells);
  const { rows } = await withClient(home.ownerUrl, (client) =>
    client.query<{ breaking: boolean }>("select breaking from migrations where number = 59"),
  );
  assert.equal(rows[0]?.breaking, true);
});

test("a cell stays a partner's, and is one that home lists", async () => {
  const { partnerId } = valueOf(await onboardPartner(node, newPartner({ cells: [0, 1] })));
  for (const cells of [[1], [0, 1, 2], [], [0, 0, 1], [0, 1, 256], [0, 1, 1.5]]) {
    assert.equal(rejectionOf(await changePartner(node, partnerId, { cells })), "invalidField cells", `${cells}`);
  }
  assert.equal(rejectionOf(await onboardPartner(node, newPartner({ cells: [0, 2] }))), "invalidField cells");
});

const partnerOf = (settings: string) =>
  withClient(home.ownerUrl, async (client) => {
    const text = `select partner_cells(p, $1::jsonb) as cells from (select null::partners as p) none`;
    const { rows } = await client.query<{ cells: unknown }>(text, [settings]);
    return rows[0]?.cells;
  });

test("the database gives times itself, and takes no cells that it does not list", async () => {
  assert.deepEqual(await partnerOf(`{"cells": [{"cell": 0}, {"cell": 1, "since": 5}]}`), [{ cell: 0 }, { cell: 1 }]);
  for (const cells of [`[]`, `[{"cell": 2}]`, `[{"cell": "1"}]`, `[{}]`, `[{"cell": 1}, {"cell": 1}]`, `{}`]) {
    await assert.rejects(partnerOf(`{"cells": ${cells}}`), { code: "23001" }, cells);
  }
});

test("an account is opened for partners of its cell, and given to them, alone", async () => {
  const { key } = valueOf(await onboardPartner(node, newPartner()));
  const { key: ofBoth } = valueOf(await onboardPartner(node, newPartner({ cells: [0, 1] })));
  const { key: ofCell } = valueOf(await onboardPartner(node, newPartner({ cells: [1] })));
  const numbers = (number: number) => ({
    cell: number,
    ranges: [{ from: "510000000000", to: "519999999999" }],
    cellOf: () => number,
    partnerOf: (one: string) => node.reference.current().partners.get(one),
  });
  const open = (inCell: number, ...partners: readonly string[]) =>
    openAccount(
      { ...node, numbers: numbers(inCell) },
      { name: "Siti", currency: "IDR", type: "S", balance: zero, partners },
    );
  const { accountNo } = valueOf(await open(0, key, ofBoth));
  assert.equal(rejectionOf(await open(0, ofBoth, ofCell)), "invalidField partners");
  const refused = await open(1, key);
  assert.match(
    refused.ok ? "" : refused.rejection.message,
    /^partner-\S+ may have no account in cell 1 yet: titian partner change \S+ --cells 0,1$/,
  );
  const give = (partner: string) =>
    changeAccount({ ...node, numbers: numbers(0) }, accountNo, { addPartners: [partner] });
  assert.equal(rejectionOf(await give(ofCell)), "invalidField partners");
  valueOf(await give(ofBoth));
});
