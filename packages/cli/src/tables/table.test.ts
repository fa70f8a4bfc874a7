import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTable } from "./table.ts";

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
