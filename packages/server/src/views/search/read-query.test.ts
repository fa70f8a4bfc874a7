import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf } from "../../ledger/business-day.ts";
import { readQuery } from "./read-query.ts";

const today = dayOf("2026-11-26");
const read = (text: string) => readQuery(text, today);
/** The readings of each part, the days of an amount left out. */
const readings = (text: string) =>
  read(text).terms.map((term) => [...new Set(term.map(({ kind, text: word }) => `${kind} ${word}`))].join(", "));

test("a number may be a number, an account and an amount; a word of a name may be a number", () => {
  assert.deepEqual(readings("8880012345"), [
    "number 8880012345, account 8880012345, foreign 8880012345, amount 8880012345",
  ]);
  assert.deepEqual(readings("trx-001"), ["number TRX-001, account TRX001, foreign TRX001, name trx"]);
  assert.deepEqual(readings("siti Rahayu"), ["number SITI, name siti", "number RAHAYU, name rahayu"]);
  assert.deepEqual(readings("  "), []);
});

test("an amount has a day, or one of the last 31", () => {
  const days = (text: string) => read(text).terms.flatMap((term) => term.filter(({ kind }) => kind === "amount"));
  assert.deepEqual(days("12 2026-11-25"), [{ kind: "amount", text: "12", day: "2026-11-25" }]);
  assert.equal(days("12").length, 31);
  assert.deepEqual([days("12")[0]?.day, days("12").at(-1)?.day], ["2026-11-26", "2026-10-27"]);
});

test("amounts are read as people write them in both languages", () => {
  const forms = ["250000", "250.000", "250,000", "250000.00", "250.000,00", "250,000.00", "Rp250.000", "Rp. 250.000"];
  const spoken = ["250rb", "250 ribu", "250 thousand", "250k", "250.000,-", "Rp 250.000,-", "250.000,"];
  for (const form of [...forms, ...spoken, "IDR 250000", "250000 IDR", "rp 250000,0"]) {
    const { terms } = read(`${form} 25 Nov`);
    assert.equal(terms.length, 1, form);
    assert.deepEqual(
      terms[0]?.find(({ kind }) => kind === "amount"),
      { kind: "amount", text: "250000", day: "2026-11-25" },
      form,
    );
  }
  assert.ok(!readings("1.2345 25.00.1").join().includes("amount"));
});

test("a day is read as people write it in both languages", () => {
  const same = [
    "2026-11-25",
    "25-11-2026",
    "25/11/2026",
    "25.11.2026",
    "25/11",
    "25 nov",
    "25 November 2026",
    "yesterday",
    "kemarin",
  ];
  for (const day of same) {
    assert.deepEqual([read(`7 ${day}`).day, read(`7 ${day}`).terms.length], ["2026-11-25", 1], day);
    assert.deepEqual([read(`${day} 7`).day, read(`${day} 7`).terms.length], ["2026-11-25", 1], day);
  }
  assert.equal(read("hari ini").day, "2026-11-26");
  assert.equal(read("31 des").day, "2025-12-31", "not a day to come");
  assert.equal(read("17 agustus").day, "2026-08-17");
  for (const none of ["2026-02-30", "32/01/2026", "12 2026-13-01", "TRX-2026-11-25", "32/11", "11/25"])
    assert.equal(read(none).day, undefined, none);
});
