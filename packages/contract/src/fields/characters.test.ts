// Goal: patterns in a spelling that every language reads allow what those in ECMAScript's own spelling did. Method: both, with
// each character of the basic plane in each place, and with random texts of the characters that patterns are about.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fits } from "../reading/schema-faults.ts";
import { blank } from "../shapes/alternatives.ts";
import type { Schema } from "./schema.ts";
import { BankCode, Email, MoneyValue, Reference, ResponseCode, Timestamp } from "./types.ts";
import type { TextType } from "./field-type.ts";

const controls =
  "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufdd0-\\ufdef\\ufffe\\uffff";
const around = `[^\\S${controls}]*`;
const length = `(?=${around}\\S{3,50}${around}$)`;
const date = "(?:19|2\\d)\\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d";
const published = ({ documented, schema }: TextType): Schema => documented?.request ?? schema;

const spellings: readonly (readonly [name: string, now: Schema, before: string])[] = [
  ["text", { pattern: published(Reference).pattern ?? "" }, `^[^${controls}]*[^\\s${controls}][^${controls}]*$`],
  ["blank", { anyOf: blank.anyOf ?? [] }, "^\\s*$"],
  ["email", published(Email), `^(?: *- *|${length}${around}[^\\s@${controls}]+@[^\\s@${controls}]+${around})$`],
  ["bank", { pattern: BankCode.schema.pattern ?? "" }, "^(?:\\d{3}|[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$"],
  ["code", { pattern: ResponseCode.schema.pattern ?? "" }, "^\\d{7}$"],
  ["money", { pattern: MoneyValue.schema.pattern ?? "" }, "^\\d{1,16}(?:\\.\\d{1,2})?$"],
  [
    "time",
    { pattern: Timestamp.schema.pattern ?? "" },
    `^${date}(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?$`,
  ],
];

const plane = Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point)).filter(
  (character) => character.isWellFormed() && character !== "",
);
const places: readonly ((character: string) => string)[] = [
  (it) => it,
  (it) => `${it}a@b`,
  (it) => `a@b${it}`,
  (it) => `a${it}@b`,
  (it) => `00${it}`,
];

/** Places that look alike for the patterns' parts: blanks, forbidden ones, and those of the formats. */
const telling = fc.string({
  unit: fc.constantFrom(
    ...("ab@- \t\n\u00a0\u2028\u3000\ufeff\u0085\u202e\ufffe\ud83d\ude00019TZ:+.AK".match(/./gsu) ?? []),
  ),
  maxLength: 60,
});
const long = fc
  .tuple(telling, fc.integer({ min: 44, max: 52 }))
  .map(([text, count]) => `${text}${"x".repeat(count)}@b `);

for (const [name, now, before] of spellings) {
  test(`${name}: the published pattern allows what the former one did`, () => {
    const former = new RegExp(before, "u");
    const isSame = (text: string) => fits(now, text) === former.test(text);
    for (const character of plane) {
      for (const place of places) {
        const text = place(character);
        if (!isSame(text)) assert.fail(JSON.stringify(text));
      }
    }
    fc.assert(fc.property(fc.oneof(telling, long), isSame), { numRuns: 2_000 });
  });
}
