/** Valid values of every field type, for tests generated from the table. */
import type { Fields, FieldType } from "@titian/contract";

const texts = [
  "1",
  "014",
  "00",
  "17",
  "IDR",
  "OUR",
  "D",
  "INIT",
  "true",
  "a@b.id",
  "2001700",
  "2026-11-21T10:00:00+07:00",
  "client_credentials",
  "authorization_code",
];

export function sampleOf(type: FieldType): unknown {
  switch (type.kind) {
    case "money":
      return { value: "10000.00", currency: "IDR" };
    case "any":
      return [{ goodsId: "1" }];
    case "list":
      return [sampleFields(type.entry), sampleFields(type.entry)];
    case "text": {
      const sample = texts.find((candidate) => type.read(candidate) === candidate);
      if (sample === undefined) throw new Error("No sample text fits: add one to samples.ts.");
      return sample;
    }
  }
}

/** An object with every field of a table, all valid. */
export function sampleFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, sampleOf(type)]));
}
