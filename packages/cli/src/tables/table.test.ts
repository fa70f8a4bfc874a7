import assert from "node:assert/strict";
import { test } from "node:test";
import { amountColumn, formatTable } from "./table.ts";

test("columns are as wide as their widest cell; absent cells stay empty, lists are joined", () => {
  const rows = [
    { name: "shop", accounts: ["1", "2"], note: "kept out" },
    { name: "a longer name", accounts: [], note: "" },
  ];
  const table = formatTable({ name: "partner", accounts: "may debit" }, rows);
  assert.equal(
    table,
    ["partner        may debit", "-------------  ---------", "shop           1, 2", "a longer name"].join("\n"),
  );
});

test("amounts stand to the right, with their digits in groups of three and nothing else changed", () => {
  const rows = [
    { amount: "250000.00", to: "1001000001" },
    { amount: "1234567.125 KWD", to: "2" },
    { amount: "-1000", to: "3" },
    { amount: "no limit", to: "4" },
    { amount: "999.00 IDR, 2000 JPY", to: "5" },
    { amount: "\\u2028", to: "6" },
    { to: "7" },
  ];
  assert.deepEqual(formatTable({ amount: amountColumn("amount"), to: "to" }, rows).split("\n"), [
    "               amount  to",
    "---------------------  ----------",
    "           250,000.00  1001000001",
    "    1,234,567.125 KWD  2",
    "               -1,000  3",
    "             no limit  4",
    "999.00 IDR, 2,000 JPY  5",
    "               \\u2028  6",
    "                       7",
  ]);
});

const wide = { hold: "hold", payer: "payer", held: amountColumn("held"), note: "note" };
const holds = [
  { hold: "01JD7K3M9QZ8V2X4B6N8P0R2T4", payer: "1001000001", held: "250000.00", note: "paid at the second pump" },
  { hold: "01JD7K3M9QZ8V2X4B6N8P0R2T5", payer: "1001000002", held: "1.00" },
];

test("columns that do not fit the width stand below, and nothing of them is cut off", () => {
  assert.deepEqual(formatTable(wide, holds, 50).split("\n"), [
    "hold                        payer             held",
    "    note",
    "--------------------------  ----------  ----------",
    "01JD7K3M9QZ8V2X4B6N8P0R2T4  1001000001  250,000.00",
    "    paid at the second pump",
    "01JD7K3M9QZ8V2X4B6N8P0R2T5  1001000002        1.00",
  ]);
});

test("a text in the last column goes on in the next line, where it has room", () => {
  assert.deepEqual(
    formatTable({ name: "name", note: "note" }, [{ name: "a", note: "one two three four five six" }], 30).split("\n"),
    ["name  note", "----  ------------------------", "a     one two three four five", "      six"],
  );
});
