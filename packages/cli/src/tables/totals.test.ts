import assert from "node:assert/strict";
import { test } from "node:test";
import { totalsOf } from "./totals.ts";

test("totals count the rows, and add up each amount by its currency", () => {
  const rows = [
    { currency: "IDR", amount: "9007199254740993.05", fee: "2500.00" },
    { currency: "JPY", amount: "700", fee: "0" },
    { currency: "IDR", amount: "-0.10" },
  ];
  assert.deepEqual(totalsOf(rows, ["amount", "fee"]), {
    count: 3,
    amounts: { IDR: { amount: "9007199254740992.95", fee: "2500.00" }, JPY: { amount: "700", fee: "0" } },
  });
  assert.deepEqual([totalsOf([], []), totalsOf([{}], [])], [{ count: 0 }, { count: 1 }]);
});
