import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  externalIdOf,
  fenceId,
  fromReferenceNo,
  idsOfExternalId,
  isFence,
  newId,
  timeOf,
  toReferenceNo,
} from "./ids.ts";

test("ids made one after the other are in order and differ", () => {
  const ids = Array.from({ length: 10_000 }, newId);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the last byte of an id is its cell, 0 where none is named", () => {
  assert.ok(newId().endsWith("00"));
  for (const [cell, end] of [
    [0, "00"],
    [7, "07"],
    [255, "ff"],
  ] as const)
    assert.match(
      newId(cell),
      new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{10}${end}$`),
    );
});

test("a fence has time and cell, and is told from every id", () => {
  const fence = fenceId(1_795_860_000_123, 7);
  assert.equal(fence, "01a22198-ed7b-8000-8000-000000000007");
  assert.equal(timeOf(fence), 1_795_860_000_123);
  assert.deepEqual([isFence(fence), isFence(newId(7))], [true, false]);
});

test("ids stay in order when the clock is set back a little, and are of its time when it was far ahead", (t) => {
  const now = Date.now();
  t.mock.timers.enable({ apis: ["Date"], now });
  const before = newId();
  t.mock.timers.setTime(now - 30_000);
  assert.ok(newId() > before);
  t.mock.timers.setTime(now - 120_000);
  assert.equal(timeOf(newId()), now - 120_000);
});

test("our numbers are base 32 of the id, most significant digit first", () => {
  // Partners keep these numbers: a change of the form would lose every record's.
  const rows = [
    ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
    ["00000000-0000-0000-0000-000000000021", "00000000000000000000000011"],
    ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
    ["0190abcd-ef01-7234-8567-89abcdef0123", "01J2NWVVR1E8T8ASW9NF6YY093"],
  ] as const;
  for (const [id, no] of rows) {
    assert.equal(toReferenceNo(id), no);
    assert.equal(fromReferenceNo(no), id);
  }
});

test("every id comes back from its number, and numbers sort as ids do", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      assert.equal(fromReferenceNo(toReferenceNo(one)), one);
      assert.equal(toReferenceNo(one) < toReferenceNo(other), one < other);
    }),
  );
});

test("a text that is none of our numbers has no id", () => {
  const texts = [
    "",
    "01J2NWVVR1E8T8ASW9NF6YY09",
    "01J2NWVVR1E8T8ASW9NF6YY0931",
    "81J2NWVVR1E8T8ASW9NF6YY093",
    "01J2NWVVR1E8T8ASW9NF6YY09U",
  ];
  for (const text of texts) assert.equal(fromReferenceNo(text), undefined);
});

test("an id is among the few that have its external id", () => {
  const now = Date.now();
  const year = 366 * 86_400_000;
  for (let count = 0; count < 1_000; count += 1) {
    const id = newId();
    const found = idsOfExternalId(externalIdOf(id), now - year, now + 60_000);
    assert.ok(found.includes(id));
    assert.ok(found.length < 40, `${found.length}`);
    for (const one of found) assert.equal(externalIdOf(one), externalIdOf(id));
  }
  for (const text of ["", "1", "x".repeat(32), "1".repeat(33)]) assert.deepEqual(idsOfExternalId(text, 0, now), []);
});
