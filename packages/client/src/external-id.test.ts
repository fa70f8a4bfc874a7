import assert from "node:assert/strict";
import { test } from "node:test";
import { movableClock } from "../test/helpers/movable-clock.ts";
import { checkExternalId, newExternalId } from "./external-id.ts";

test("new ids are 32 digits, start with the time, and differ", () => {
  const clock = movableClock();
  const ids = Array.from({ length: 10_000 }, () => newExternalId(clock));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^\d{32}$/);
  assert.ok(ids.every((id) => id.startsWith(String(clock.now()))));
});

test("an id that cannot travel is a caller's mistake", () => {
  assert.equal(checkExternalId("Order-17.b_2"), "Order-17.b_2");
  for (const id of ["", "a b", "é", "x".repeat(37), "a\r\nX: y"]) assert.throws(() => checkExternalId(id), TypeError);
});
