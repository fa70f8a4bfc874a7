// An account that has moved, named to the cell that it has left: nothing is taken, but of a partner whose payer is in a cell that it has not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { account, partner, referenceWith } from "../../../../test/engine/transfers.ts";
import type { LockedRows } from "../engine/rows/lock-order.ts";
import type { Call } from "../interfaces/call.ts";
import { createDirectory } from "../ledger/reference/directory.ts";
import { namesElsewhere } from "./accounts-elsewhere.ts";

const rows = new Map([
  ["1", account("1")],
  ["2", account("2", { status: "moved" })],
  ["3", account("3", { status: "arriving" })],
]);
const found = { account: (accountNo: string) => rows.get(accountNo) } as unknown as LockedRows;
const ranges = [
  { cell: 1, from: "5", to: "6" },
  { cell: 2, from: "7", to: "8" },
];
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

type Accounts = readonly [payer: string, payee: string];
const cases: readonly (readonly [string, Accounts, typeof heard, readonly number[] | undefined, boolean])[] = [
  ["accounts that are here", ["1", "9"], stale, [0, 1], false],
  ["a payee that has moved, of which the node has not heard", ["1", "2"], stale, [0, 1], true],
  ["a payer that has, of a partner with home alone", ["2", "1"], stale, undefined, true],
  ["a payer that has moved, of which the node has heard meanwhile", ["2", "1"], heard, [0, 1], true],
  ["a payer in a cell that the partner has not", ["2", "1"], heard, undefined, false],
  ["a payee of which the node has heard, in a cell that the partner has not", ["1", "2"], heard, undefined, true],
  ["one that is coming", ["1", "3"], stale, [0, 1], true],
  ["one that the cell has lost", ["1", "4"], heard, [0, 1], true],
  ["a payee that has moved, of a payer in a cell that the partner has not", ["7", "2"], heard, [0, 1], false],
  ["a payee that is coming, of such a payer", ["7", "3"], heard, [0, 1], false],
];

for (const [name, accountNumbers, directory, cells, expected] of cases) {
  test(`${name}: ${expected ? "nothing is taken" : "decided"}`, () => {
    const [sourceAccountNo, beneficiaryAccountNo] = accountNumbers;
    const request = { sourceAccountNo, beneficiaryAccountNo };
    const call = { operation: operations.intrabankTransfer, partner: { key: partner }, request } as unknown as Call;
    const reference = { ...referenceWith(1), directory, partners: new Map([[partner, of(cells)]]) };
    assert.equal(namesElsewhere(call, { accountNumbers }, found, reference), expected);
  });
}
