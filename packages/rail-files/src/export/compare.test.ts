import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { KnownInstruction } from "@titian/server/rails";
import { readInstructionLine } from "@titian/server/rails";
import { compareLines, type FoundLine, type LineVerdict } from "./compare.ts";
import { createSequenceSet } from "./sequence-set.ts";

const ledgerId = "ours";
const rail = "skn" as const;
const termsOf = (number: number) => ({
  referenceNo: `N${number}`,
  idempotencyKey: `K${number}`,
  amount: `${number}.00`,
  currency: "IDR",
  beneficiaryBankCode: "014",
  beneficiaryAccountNo: "1",
  beneficiaryAccountName: "",
  sourceAccountNo: "",
  details: {},
});
const knownOf = (sequence: number, isWritten = true): KnownInstruction => ({
  terms: termsOf(sequence),
  validUntil: 0,
  sequence,
  isWritten,
  state: undefined,
});
const lineOf = (sequence: number, more: object = {}): FoundLine => {
  const text = JSON.stringify({ ...termsOf(sequence), ledgerId, sequence, validUntil: "later", ...more });
  return { file: "f", line: sequence, text, content: readInstructionLine(text) };
};
const unreadableOf = (line: number): FoundLine => ({
  file: "f",
  line,
  text: "{",
  content: { ok: false, fault: "it is no JSON object" },
});

/** By verdict: the lines that have it, and what the database has of them. */
const cases: Readonly<Record<Exclude<LineVerdict, "repeated">, (number: number) => FoundLine>> = {
  agrees: lineOf,
  ahead: lineOf,
  edited: (number) => lineOf(number, { amount: "9.99" }),
  foreign: (number) => lineOf(number, { ledgerId: "theirs" }),
  earlier: (number) => lineOf(number, { ledgerId: undefined, sequence: undefined }),
  decided: lineOf,
  torn: (number) => ({ ...unreadableOf(number), isTorn: true }),
  unreadable: unreadableOf,
};
const verdicts = Object.keys(cases) as (keyof typeof cases)[];

test("whatever stands in a directory, each line has its verdict in any order and any pages, and its second one is a repeat", () => {
  const given = fc.array(fc.constantFrom(...verdicts), { maxLength: 30 });
  fc.assert(
    fc.property(given, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (kinds, random) => {
      const all = kinds.map((verdict, index) => ({ verdict, line: cases[verdict](index + 101), number: index + 101 }));
      const known = all.flatMap(({ verdict, number }) => (/agrees|edited/.test(verdict) ? [knownOf(number)] : []));
      const decided = all.flatMap(({ verdict, number }) =>
        verdict === "decided" ? [{ referenceNo: `N${number}`, sequence: number }] : [],
      );
      const compared = { rail, ledgerId, known, decided, seen: createSequenceSet(100, 200) };
      const mixed = all.map((one) => ({ ...one, at: random.next().value })).toSorted((a, b) => a.at - b.at);
      const half = Math.floor(mixed.length / 2);
      const judge = (part: typeof mixed) =>
        compareLines(
          part.map(({ line }) => line),
          compared,
        );
      const found = [...judge(mixed.slice(0, half)), ...judge(mixed.slice(half))].map(({ verdict }) => verdict);
      assert.deepEqual(
        found,
        mixed.map(({ verdict }) => verdict),
      );
      const again = judge(mixed).map(({ verdict }) => verdict);
      assert.deepEqual(
        again,
        mixed.map(({ verdict }) => (verdict === "agrees" ? "repeated" : verdict)),
      );
      for (const { number, verdict } of all)
        assert.equal(compared.seen.has(number), /agrees|edited/.test(verdict), verdict);
    }),
  );
});

test("a line whose number waits in a restored database, without its sequence, is ahead", () => {
  const waits = { ...knownOf(7, false), sequence: undefined };
  const compared = { rail, ledgerId, known: [waits], decided: [], seen: createSequenceSet(0, 10) };
  assert.deepEqual(compareLines([lineOf(7)], compared)[0]?.verdict, "ahead");
});

test("a set of sequences knows those of its range alone, each once", () => {
  const set = createSequenceSet(10, 27);
  for (const sequence of [11, 18, 19, 27]) assert.deepEqual([set.add(sequence), set.add(sequence)], [true, false]);
  assert.deepEqual([12, 27, 10, 500].map(set.has), [false, true, false, false]);
});
