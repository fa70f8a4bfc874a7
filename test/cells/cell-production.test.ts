// Operators' calls of a production node with a further cell: it is read, and acts on it are commands'.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { roles } from "../../packages/control/src/rows/roles.ts";
import { startCellCore } from "../../packages/server/src/compose/core.ts";
import { dropOperators, useBank } from "../support/database/operators.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { startPlainCore } from "../support/plain-core.ts";
import { startProductionCalls } from "../support/production-calls.ts";
import { add, openIn, ranges, writeCells } from "./cell-fixture.ts";

const [home, cell] = [await useDatabase(), await useDatabase()];
assert.ok((await add(home.url, cell.url)).ok);
const [ofHome, ofCell] = ["1001000001", "510000000001"];

await openIn(home.url, { accountNo: ofHome, cell: 0, partners: [] });
await openIn(cell.url, { accountNo: ofCell, cell: 1, partners: [] });
using cells = writeCells(`1 ${cell.url} ${ranges}`);
const bank = await useBank(home.ownerUrl);
const core = await startPlainCore(roleUrlsOf(bank.url).url, {
  environment: "production",
  env: { TITIAN_CELLS: cells.file },
});
const [address] = core.config.cells;
assert.ok(address);
const cellCore = await startCellCore(core, address);
const calls = await startProductionCalls({
  core,
  cells: { all: () => [{ core }, { core: cellCore }], streams: () => [] },
  bank,
  hired: Object.fromEntries(roles.map((role) => [role, role])),
  subjects: roles,
  security: { add: () => undefined },
});
after(async () => {
  await calls[Symbol.asyncDispose]();
  await cellCore[Symbol.asyncDispose]();
  await core[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
  await dropOperators(home.ownerUrl);
  await home.drop();
  await cell.drop();
});

test("accounts of both are shown, and listed by cell", async () => {
  for (const accountNo of [ofHome, ofCell]) {
    const { status, body } = await calls.call("viewer", "GET", `/accounts/${accountNo}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body["ledgerBalance"], "10000000.00");
  }
  for (const [path, end] of [
    ["/accounts", ofHome],
    ["/accounts?cell=1", ofCell],
  ] as const) {
    const { body } = await calls.call("viewer", "GET", path);
    const listed = body["accounts"] as readonly { readonly accountNo: string }[];
    assert.deepEqual(
      listed.map(({ accountNo }) => accountNo),
      [`••••${end.slice(-4)}`],
    );
  }
  const { body } = await calls.call("viewer", "GET", "/cells");
  assert.deepEqual(
    (body["cells"] as readonly { readonly isReachable: boolean }[]).map(({ isReachable }) => isReachable),
    [true, true],
  );
});

test("an act on the further cell is rejected before it is proposed anywhere", async () => {
  const money = { amount: "1.00", reference: "one", reason: "a test" };
  const { status, body } = await calls.call("operator", "POST", `/accounts/${ofCell}/fund`, money);
  assert.deepEqual([status, body.error?.message], [409, "Operators act on cell 1 by commands: titian --cell 1."]);
  const atHome = await calls.call("operator", "POST", `/accounts/${ofHome}/fund`, money);
  assert.equal(atHome.status, 202, JSON.stringify(atHome.body));
  for (const [path, count] of [
    ["/acts", 1],
    ["/acts?cell=1", 0],
  ] as const) {
    const { body: found } = await calls.call("auditor", "GET", path);
    const acts = found["acts"] as readonly { readonly kind: string; readonly actId: string; readonly cell?: number }[];
    assert.equal(acts.filter(({ kind }) => kind === "funding").length, count, path);
    // An act says its cell, where calls about it find it.
    const further = path.endsWith("cell=1") ? 1 : undefined;
    assert.ok(acts.length > 0 && acts.every((act) => act.cell === further), path);
    const shown = await calls.call("auditor", "GET", `/acts/${acts[0]?.actId}?cell=${further ?? 0}`);
    assert.equal(shown.status, 200, JSON.stringify(shown.body));
  }
});

test("who may not make a call is told so, whatever cell it names", async () => {
  const { status } = await calls.call("viewer", "POST", `/accounts/${ofCell}/fund`, {});
  assert.equal(status, 403);
});
