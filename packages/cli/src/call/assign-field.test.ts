import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CliError } from "../cli-error.ts";
import { assignField, type Body } from "./assign-field.ts";

function assignAll(...assignments: readonly string[]): Body {
  const body: Body = {};
  for (const assignment of assignments) assignField(body, assignment);
  return body;
}

describe("assignField", () => {
  test("sets texts, makes objects and lists on the way", () => {
    assert.deepEqual(assignAll("amount.value=1000.00", "amount.currency=IDR", "list[0].name=a", "list[1].name=b"), {
      amount: { value: "1000.00", currency: "IDR" },
      list: [{ name: "a" }, { name: "b" }],
    });
  });

  test("keeps every character of a text, and takes an empty one", () => {
    assert.deepEqual(assignAll("remark=a=b:=c\nd", "title="), { remark: "a=b:=c\nd", title: "" });
  });

  test("takes JSON after :=, and goes into it", () => {
    assert.deepEqual(assignAll('items:=[{"sku":1}]', "items[0].count=2", "flag:=true"), {
      items: [{ sku: 1, count: "2" }],
      flag: true,
    });
  });

  test("the last one counts", () => assert.deepEqual(assignAll("a=1", "a=2"), { a: "2" }));

  test("names of built-in members are fields like any other", () => {
    assert.deepEqual(Object.entries(assignAll("constructor.name=x")), [["constructor", { name: "x" }]]);
  });

  for (const wrong of ["a", "=x", "a..b=x", "a[x]=1", "__proto__.a=1", "a[1]=x", "a:={"]) {
    test(`rejects ${wrong}`, () => assert.throws(() => assignAll(wrong), CliError));
  }

  test("rejects a path into a string, or into a list by name", () => {
    assert.throws(() => assignAll("a=x", "a.b=1"), /not an object/);
    assert.throws(() => assignAll("a:=[]", "a.b=1"), /not an object/);
    assert.throws(() => assignAll("a:={}", "a[0]=1"), /not a list/);
  });
});
