import assert from "node:assert/strict";
import { test } from "node:test";
import { memberOrders } from "./member-orders.ts";

const orders = (body: string, fields: readonly string[] = []) => [...memberOrders(Buffer.from(body), fields)];
const members = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at])));

test("six members are written in each of their 720 orders", () => {
  assert.equal(new Set(orders(members(6))).size, 720);
});

test("of more members one is moved, or two are exchanged, within a bound", () => {
  const seven = orders(members(7));
  assert.ok(seven.includes('{"m1":1,"m2":2,"m3":3,"m4":4,"m5":5,"m0":0,"m6":6}'));
  assert.ok(seven.includes('{"m5":5,"m1":1,"m2":2,"m3":3,"m4":4,"m0":0,"m6":6}'));
  for (const count of [7, 40, 150]) {
    const characters = orders(members(count)).reduce((sum, { length }) => sum + length, 0);
    assert.ok(characters <= 200_000, String(characters));
  }
});

test("the order of the service's page is among them, and inner members reversed", () => {
  const body = '{"c":1,"b":{"value":1,"currency":2},"a":[]}';
  assert.ok(orders(body, ["a", "c", "b"]).includes('{"a":[],"c":1,"b":{"value":1,"currency":2}}'));
  assert.ok(orders(body).includes('{"c":1,"b":{"currency":2,"value":1},"a":[]}'));
});

test("a body is written as it was: with spaces, or indented", () => {
  assert.ok(orders('{"a": 1, "b": 2}').includes('{"b": 2, "a": 1}'));
  assert.ok(orders('{\n  "a": 1,\n  "b": 2\n}').includes('{\n  "b": 2,\n  "a": 1\n}'));
});

test("nothing is written of a long body, of one that is no object, and of none", () => {
  for (const body of [members(400), "[1,2]", "{", ""]) assert.deepEqual(orders(body), []);
});
