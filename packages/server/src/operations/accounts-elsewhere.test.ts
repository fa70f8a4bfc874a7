// An account that has moved, named to the cell that it has left: nothing is taken, but of a partner that is always decided there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, partner, referenceWith } from "../../../../test/engine/transfers.ts";
import type { LockedRows } from "../engine/rows/lock-order.ts";
import { createDirectory } from "../ledger/reference/directory.ts";
import { namesElsewhere } from "./accounts-elsewhere.ts";

const rows = new Map([
  ["1", account("1")],
  ["2", account("2", { status: "moved" })],
  ["3", account("3", { status: "arriving" })],
]);
const found = { account: (accountNo: string) => rows.get(accountNo) } as unknown as LockedRows;
const ranges = [{ cell: 1, from: "5", to: "6" }];
const heard = createDirectory(ranges, 0, {
  cells: new Map([
    ["2", 1],
    ["4", 0],
  ]),
  moving: new Map(),
});
const stale = createDirectory(ranges, 0);
const of = (cells: readonly number[] | undefined) => ({
  key: partner,
  partnerId: "S",
  status: "active" as const,
  ...(cells && { cells: cells.map((cell) => ({ cell })) }),
});

const cases: readonly (readonly [string, readonly string[], typeof heard, readonly number[] | undefined, boolean])[] = [
  ["accounts that are here", ["1", "9"], stale, [0, 1], false],
  ["one that has moved, of which the node has not heard", ["1", "2"], stale, [0, 1], true],
  ["the same, of a partner with home alone", ["2"], stale, undefined, true],
  ["one that has moved, of which the node has heard meanwhile", ["2"], heard, [0, 1], true],
  ["one in a cell that the partner has not", ["2"], heard, undefined, false],
  ["one that is coming", ["3"], stale, [0, 1], true],
  ["one that the cell has lost", ["4"], heard, [0, 1], true],
];

for (const [name, accountNumbers, directory, cells, expected] of cases) {
  test(`${name}: ${expected ? "nothing is taken" : "decided"}`, () => {
    const reference = { ...referenceWith(1), directory, partners: new Map([[partner, of(cells)]]) };
    assert.equal(namesElsewhere({ accountNumbers }, found, reference, partner), expected);
  });
}
