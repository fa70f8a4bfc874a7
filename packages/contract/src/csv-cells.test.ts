import assert from "node:assert/strict";
import { test } from "node:test";
import { neutralizeCell, restoreCell, writeRow } from "./csv-cells.ts";

test("cells that a spreadsheet would compute get an apostrophe, and are read as they were", () => {
  const formulas = [
    "=1+1",
    '=HYPERLINK("http://x")',
    "+62811",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\r=1",
    " =1",
    "＝1",
    "'=1",
    "''-1",
  ];
  for (const cell of formulas) {
    assert.equal(neutralizeCell(cell), `'${cell}`, JSON.stringify(cell));
    assert.equal(restoreCell(neutralizeCell(cell)), cell);
  }
  for (const cell of ["", "Siti", "O'Brien", "'Aini", "10000.00", "2026-11-S001", "a=b", "1-2"]) {
    assert.equal(neutralizeCell(cell), cell);
    assert.equal(restoreCell(cell), cell);
  }
});

test("a row is quoted where it must be, and an absent cell is empty", () => {
  assert.equal(writeRow(["=1;2", undefined, 'a "b"', "c"], ";"), `"'=1;2";;"a ""b""";c\n`);
});
