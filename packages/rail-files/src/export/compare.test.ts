import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { KnownInstruction } from "@titian/server/rails";
import { compareDirectory, type FoundLine, reasonToStop } from "./compare.ts";

const ledgerId = "ours";
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
const knownOf = (sequence: number): KnownInstruction => ({
  terms: termsOf(sequence),
  validUntil: 0,
  sequence,
  isWritten: true,
  state: undefined,
});
const lineOf = (sequence: number, more: Partial<{ ledgerId: string; amount: string }> = {}): FoundLine => {
  const terms = { ...termsOf(sequence), ...("amount" in more && { amount: more.amount }) };
  return { file: "f", line: sequence, content: { ledgerId: more.ledgerId ?? ledgerId, sequence, terms } };
};
const numbers = (lines: readonly FoundLine[]) =>
  lines.map(({ content }) => ("terms" in content ? content.terms.referenceNo : content.fault)).toSorted();

const kinds = [
  "agrees",
  "ahead",
  "behind",
  "edited",
  "foreign",
  "repeated",
  "unreadable",
  "unwritten",
  "released",
] as const;

test("whatever stands in a directory, each line and each missing one is in the list of what it is, in any order", () => {
  const cases = fc.array(fc.constantFrom(...kinds), { maxLength: 30 });
  fc.assert(
    fc.property(cases, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, random) => {
      const of = (kind: (typeof kinds)[number]) => given.flatMap((one, index) => (one === kind ? [index + 101] : []));
      const known = ["agrees", "behind", "edited", "repeated"].flatMap((kind) => of(kind as "agrees")).map(knownOf);
      const unwritten = of("unwritten").map((number) => ({ ...knownOf(number), isWritten: false }));
      const released = of("released").map((number) => ({ ...knownOf(number), sequence: number - 100 }));
      const lines = [
        ...[...of("agrees"), ...of("ahead"), ...of("repeated"), ...of("repeated")].map((number) => lineOf(number)),
        ...of("edited").map((number) => lineOf(number, { amount: "9.99" })),
        ...of("foreign").map((number) => lineOf(number, { ledgerId: "theirs" })),
        ...of("unreadable").map((line) => ({ file: "f", line, content: { fault: `F${line}` } })),
      ]
        .map((line) => ({ line, at: random.next().value }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ line }) => line);
      const found = compareDirectory({
        ledgerId,
        releasedSequence: 100,
        lines,
        known: [...known, ...unwritten, ...released],
      });
      for (const kind of ["ahead", "edited", "foreign", "repeated"] as const)
        assert.deepEqual(
          numbers(found[kind]),
          of(kind)
            .map((number) => `N${number}`)
            .toSorted(),
          kind,
        );
      assert.deepEqual(
        numbers(found.unreadable),
        of("unreadable")
          .map((number) => `F${number}`)
          .toSorted(),
      );
      const behind = found.behind.map(({ terms }) => terms.referenceNo).toSorted();
      assert.deepEqual(
        behind,
        of("behind")
          .map((number) => `N${number}`)
          .toSorted(),
      );
      const stops = (["ahead", "behind", "edited", "foreign"] as const).some((kind) => of(kind).length > 0);
      assert.equal(reasonToStop(found) !== undefined, stops);
    }),
  );
});

test("a line whose number waits in a restored database, without its sequence, is ahead", () => {
  const waits = { ...knownOf(7), sequence: undefined, isWritten: false };
  const { ahead } = compareDirectory({ ledgerId, releasedSequence: 0, lines: [lineOf(7)], known: [waits] });
  assert.deepEqual(numbers(ahead), ["N7"]);
});
