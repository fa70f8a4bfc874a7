import assert from "node:assert/strict";
import { test } from "node:test";
import { findBank, isSameBank } from "./banks.ts";
import type { Bank } from "./terms.ts";

const bca: Bank = { code: "014", bic: "CENAIDJA", name: "BCA" };
const mandiri: Bank = { code: "008", bic: "BMRIIDJA", name: "Mandiri" };
const banks = new Map([bca, mandiri].flatMap((bank) => [[bank.code, bank] as const, [bank.bic, bank] as const]));

function find(code: string, ownBankCode = "999") {
  const found = findBank({ banks, ownBankCode }, code);
  return typeof found === "object" ? found.name : found;
}

// code as sent, our own code, what is found
const cases: readonly (readonly [string, string, string | undefined])[] = [
  ["014", "999", "BCA"],
  ["CENAIDJA", "999", "BCA"],
  ["CENAIDJAXXX", "999", "BCA"],
  ["CENAIDJA001", "999", "BCA"],
  ["008", "999", "Mandiri"],
  ["BMRIIDJAXXX", "999", "Mandiri"],
  // Nobody's.
  ["015", "999", undefined],
  ["cenaidja", "999", undefined],
  ["CENAIDJB", "999", undefined],
  ["CENAIDJ", "999", undefined],
  ["CENAIDJAX", "999", undefined],
  ["CENAIDJAXX", "999", undefined],
  ["CENAIDJAXXXX", "999", undefined],
  ["0014", "999", undefined],
  ["14", "999", undefined],
  ["", "999", undefined],
  ["constructor", "999", undefined],
  // Ours, not in the list.
  ["999", "999", "own"],
  ["TTNNIDJA", "TTNNIDJA", "own"],
  ["TTNNIDJAXXX", "TTNNIDJA", "own"],
  ["TTNNIDJA", "TTNNIDJAXXX", "own"],
  ["TTNNIDJAJKT", "TTNNIDJAXXX", "own"],
  // Ours, in the list: by every code of it, whichever one is configured.
  ["014", "014", "own"],
  ["CENAIDJA", "014", "own"],
  ["CENAIDJAXXX", "014", "own"],
  ["014", "CENAIDJA", "own"],
  ["014", "CENAIDJAXXX", "own"],
  ["CENAIDJAJKT", "CENAIDJAXXX", "own"],
  ["008", "014", "Mandiri"],
];

for (const [code, own, expected] of cases) {
  test(`${JSON.stringify(code)} where ours is ${own} is ${expected ?? "nobody's"}`, () => {
    assert.equal(find(code, own), expected);
  });
}

// two codes as they were sent, whether they name one bank
const pairs: readonly (readonly [string, string, boolean])[] = [
  ["014", "014", true],
  ["014", "CENAIDJA", true],
  ["014", "CENAIDJAXXX", true],
  ["CENAIDJA001", "CENAIDJA002", true],
  ["014", "008", false],
  ["CENAIDJA", "BMRIIDJA", false],
  ["014", "BMRIIDJAXXX", false],
  ["008", "999", false],
  // Ours, which has no other codes than those of the list.
  ["999", "TTNNIDJA", false],
  // Not in the list, or not any more: one bank by one code, and nobody knows of another.
  ["015", "015", true],
  ["BBBAIDJA", "BBBAIDJAXXX", true],
  ["015", "BBBAIDJA", false],
  ["015", "016", false],
];

for (const [one, other, expected] of pairs) {
  test(`${one} and ${other} are ${expected ? "one bank" : "not known to be one bank"}`, () => {
    assert.equal(isSameBank({ banks, ownBankCode: "999" }, one, other), expected);
    assert.equal(isSameBank({ banks, ownBankCode: "999" }, other, one), expected);
  });
}

test("our own codes are one bank, where the list has them", () => {
  assert.equal(isSameBank({ banks, ownBankCode: "CENAIDJAXXX" }, "014", "CENAIDJAJKT"), true);
});
