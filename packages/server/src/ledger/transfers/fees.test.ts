import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FeeType, splitFee } from "./fees.ts";
import { maxMinor, minor } from "../money.ts";

const feeTypes: readonly (FeeType | undefined)[] = [undefined, "OUR", "BEN", "SHA", "1000"];

interface Parts {
  readonly sender: bigint;
  readonly beneficiary: bigint;
  readonly sentAmount: bigint;
  readonly debited: bigint;
}

function partsOf(amount: bigint, fee: bigint, feeType: FeeType | undefined, shared = 1_000_00n): Parts | string {
  const split = splitFee({ amount: minor(amount), fee: minor(fee), sharedFeeMax: minor(shared), feeType });
  if (split.kind === "rejection") return split.rejection.kind;
  const { sender, beneficiary, sentAmount, debited } = split;
  return { sender, beneficiary, sentAmount, debited };
}

// who pays, amount, fee, and the parts (in minor units of IDR): sender, beneficiary, sentAmount, debited
const splits: readonly (readonly [FeeType | undefined, bigint, bigint, bigint, bigint, bigint, bigint])[] = [
  [undefined, 10_000_00n, 2_500_00n, 2_500_00n, 0n, 10_000_00n, 12_500_00n],
  ["OUR", 10_000_00n, 2_500_00n, 2_500_00n, 0n, 10_000_00n, 12_500_00n],
  ["OUR", 1n, 2_500_00n, 2_500_00n, 0n, 1n, 2_500_01n],
  ["BEN", 10_000_00n, 2_500_00n, 0n, 2_500_00n, 7_500_00n, 10_000_00n],
  ["BEN", 2_500_01n, 2_500_00n, 0n, 2_500_00n, 1n, 2_500_01n],
  ["SHA", 10_000_00n, 2_500_00n, 1_000_00n, 1_500_00n, 8_500_00n, 11_000_00n],
  ["1000", 10_000_00n, 2_500_00n, 1_000_00n, 1_500_00n, 8_500_00n, 11_000_00n],
  ["SHA", 10_000_00n, 1_000_00n, 1_000_00n, 0n, 10_000_00n, 11_000_00n],
  ["SHA", 10_000_00n, 1_000_01n, 1_000_00n, 1n, 9_999_99n, 11_000_00n],
  ["1000", 10_000_00n, 999_99n, 999_99n, 0n, 10_000_00n, 10_999_99n],
];

for (const [feeType, amount, fee, sender, beneficiary, sentAmount, debited] of splits) {
  test(`${feeType ?? "no fee type"}: ${amount} with a fee of ${fee} takes ${debited}, and ${sentAmount} sentAmount`, () => {
    assert.deepEqual(partsOf(amount, fee, feeType), { sender, beneficiary, sentAmount, debited });
  });
}

// what would leave the beneficiary nothing
const rejected: readonly (readonly [FeeType, bigint, bigint])[] = [
  ["BEN", 2_500_00n, 2_500_00n],
  ["BEN", 2_499_99n, 2_500_00n],
  ["SHA", 1_500_00n, 2_500_00n],
  ["1000", 1_499_99n, 2_500_00n],
];

for (const [feeType, amount, fee] of rejected) {
  test(`${feeType}: a fee of ${fee} is too large for ${amount}, and a minor unit more is enough`, () => {
    assert.equal(partsOf(amount, fee, feeType), "feeTooLarge");
    const beneficiary = feeType === "BEN" ? fee : fee - 1_000_00n;
    assert.equal(partsOf(beneficiary, fee, feeType), "feeTooLarge");
    const enough = partsOf(beneficiary + 1n, fee, feeType);
    assert.ok(typeof enough !== "string");
    assert.equal(enough.sentAmount, 1n);
  });
}

test("the rejection names the amount", () => {
  const order = { amount: minor(1n), fee: minor(2n), sharedFeeMax: minor(1_000_00n), feeType: "BEN" } as const;
  assert.deepEqual(splitFee(order), {
    kind: "rejection",
    rejection: { kind: "feeTooLarge", field: "amount.value" },
  });
});

test("a fee of zero changes nothing, whoever pays", () => {
  for (const feeType of feeTypes) {
    assert.deepEqual(partsOf(1n, 0n, feeType), { sender: 0n, beneficiary: 0n, sentAmount: 1n, debited: 1n });
  }
});

/** The rule in words of its own: what each side pays, from the table of the decision. */
function expectedParts(amount: bigint, fee: bigint, feeType: FeeType | undefined, shared: bigint): Parts | string {
  const sender = { OUR: fee, BEN: 0n, SHA: fee < shared ? fee : shared, "1000": fee < shared ? fee : shared };
  const paid = sender[feeType ?? "OUR"];
  if (amount <= fee - paid) return "feeTooLarge";
  return { sender: paid, beneficiary: fee - paid, sentAmount: amount - (fee - paid), debited: amount + paid };
}

test("every small amount, fee and fee type splits by the rule, and no minor unit is lost", () => {
  for (const feeType of feeTypes) {
    for (let shared = 0n; shared <= 4n; shared++) {
      for (let fee = 0n; fee <= 12n; fee++) {
        for (let amount = 0n; amount <= 12n; amount++) {
          const parts = partsOf(amount, fee, feeType, shared);
          assert.deepEqual(parts, expectedParts(amount, fee, feeType, shared), `${feeType} ${amount} ${fee} ${shared}`);
        }
      }
    }
  }
});

test("debited = sentAmount + fee for all amounts, and each part is from zero", () => {
  const amounts = fc.oneof(fc.bigInt(1n, 5_000_00n), fc.bigInt(1n, maxMinor));
  const fees = fc.oneof(fc.bigInt(0n, 3_000_00n), fc.bigInt(0n, maxMinor));
  fc.assert(
    fc.property(amounts, fees, fc.constantFrom(...feeTypes), (amount, fee, feeType) => {
      const parts = partsOf(amount, fee, feeType);
      assert.deepEqual(parts, expectedParts(amount, fee, feeType, 1_000_00n));
      if (typeof parts === "string") return;
      assert.equal(parts.debited, parts.sentAmount + fee);
      assert.equal(parts.sender + parts.beneficiary, fee);
      assert.ok(parts.sender >= 0n && parts.beneficiary >= 0n && parts.sentAmount > 0n);
    }),
  );
});
