import assert from "node:assert/strict";
import { test } from "node:test";
import { bigintArray, countArray, intArray, timeArray, uuidArray } from "./binary-arrays.ts";

/** Header: dimensions, nulls, element type, length, first index; then each element behind its length in bytes. */
const cases = [
  {
    name: "ids, in either case",
    array: uuidArray(["0190abcd-ef01-7234-8567-89abcdef0123", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"]),
    bytes:
      "00000001 00000000 00000b86 00000002 00000001 " +
      "00000010 0190abcdef017234856789abcdef0123 00000010 ffffffffffffffffffffffffffffffff",
  },
  {
    name: "amounts, negative and the largest of a row",
    array: bigintArray([-1n, 9_000_000_000_000_000_000n]),
    bytes: "00000001 00000000 00000014 00000002 00000001 00000008 ffffffffffffffff 00000008 7ce66c50e2840000",
  },
  {
    name: "counts beyond 32 bits",
    array: countArray([1, 4_294_967_296 + 5, Number.MAX_SAFE_INTEGER]),
    bytes:
      "00000001 00000000 00000014 00000003 00000001 " +
      "00000008 0000000000000001 00000008 0000000100000005 00000008 001fffffffffffff",
  },
  {
    name: "times, before 2000 and after",
    array: timeArray([Date.UTC(2000, 0) - 1, Date.UTC(2026, 7, 17, 3, 4, 5, 678)]),
    bytes: "00000001 00000000 000004a0 00000002 00000001 00000008 fffffffffffffc18 00000008 0002fc3431198bb0",
  },
  {
    name: "small numbers",
    array: intArray([17, -2]),
    bytes: "00000001 00000000 00000017 00000002 00000001 00000004 00000011 00000004 fffffffe",
  },
  { name: "nothing", array: uuidArray([]), bytes: "00000000 00000000 00000b86" },
];

for (const { name, array, bytes } of cases) {
  test(`PostgreSQL's binary array of ${name}`, () => {
    assert.equal(array.toString("hex"), bytes.replaceAll(" ", ""));
  });
}

test("a value that is no id is never sent as one", () => {
  assert.throws(() => uuidArray(["0190abcdef01723485670123"]), /is no id/);
});
