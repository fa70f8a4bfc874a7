/** Fields of a request or response as a page shows them: type, length, presence, description and example. */
import { describeField, exampleOf, type Field, type Fields, type FieldType, type Presence } from "@titian/contract";
import type { FieldEntry } from "../blocks/block.ts";
import { texts } from "../frame/texts.ts";
import type { Language, Text } from "../languages.ts";

/** Part of a call; begins the anchors of its fields. */
export type Part = "request" | "response";

const presences: Readonly<Record<Presence, Text>> = {
  mandatory: texts.required,
  optional: texts.optional,
  conditional: texts.conditional,
  onSuccess: texts.onSuccess,
};

const grouped = (count: number, language: Language): string => count.toLocaleString(language === "en" ? "en" : "id-ID");

const typeTexts = {
  text: { en: "text", id: "teks" },
  upTo: { en: "up to {max} characters", id: "paling banyak {max} karakter" },
  money: {
    en: "object of value (16 digits, 2 decimals) and currency",
    id: "objek berisi value (16 digit, 2 desimal) dan currency",
  },
  any: { en: "any JSON, up to 64 KiB", id: "JSON apa pun, paling banyak 64 KiB" },
  object: { en: "object", id: "objek" },
  list: { en: "list of {min} to {max} objects", id: "daftar berisi {min} sampai {max} objek" },
  oneOf: { en: "one of", id: "salah satu dari" },
} as const satisfies Readonly<Record<string, Text>>;

/** Such as "text, up to 64 characters"; of a text that is one of a few, these. */
function typeText(type: FieldType, language: Language): string {
  const say = (name: keyof typeof typeTexts) => typeTexts[name][language];
  switch (type.kind) {
    case "text":
      return type.values === undefined
        ? `${say("text")}, ${say("upTo").replace("{max}", grouped(type.max, language))}`
        : `${say("text")}, ${say("oneOf")} ${type.values.join(", ")}`;
    case "list": {
      const [min, max] = [grouped(type.min, language), grouped(type.max, language)];
      return say("list").replace("{min}", min).replace("{max}", max);
    }
    case "any":
      return say(type.members === undefined ? "any" : "object");
    case "money":
      return say("money");
  }
}

interface Place {
  readonly part: Part;
  readonly language: Language;
  /** The operation's own example. */
  readonly example: unknown;
  /** Names of the fields around these. */
  readonly within?: readonly string[];
  /** Types of members of `additionalInfo` that are read, where any are. */
  readonly read?: Readonly<Record<string, FieldType>> | undefined;
}

export function fieldEntries(fields: Fields, place: Place): readonly FieldEntry[] {
  return Object.entries(fields).map(([name, field]) => entryOf(name, field, place));
}

/** Anchor of a field, by the names from the outermost on. */
export const fieldAnchor = (part: Part, path: readonly string[]): string => [part, ...path].join("-");

function entryOf(name: string, field: Field, place: Place): FieldEntry {
  const { part, language, within = [] } = place;
  const path = [...within, name];
  const { type, presence } = field;
  const isMandatory = presence === "mandatory";
  const own = memberOf(place.example, name);
  const inner = { part, language, within: path, example: own };
  return {
    id: fieldAnchor(part, path),
    name,
    type: typeText(type, language),
    presence: (isMandatory && part === "response" ? texts.always : presences[presence])[language],
    isMandatory: isMandatory && part === "request",
    description: describeField(name, field),
    example: type.kind === "list" ? undefined : exampleText(own ?? exampleOf(name)),
    children: fieldEntries(membersOf(type, name === "additionalInfo" ? place.read : undefined), inner),
  };
}

/** Members of lists and of objects of which some are known. */
function membersOf(type: FieldType, read: Place["read"]): Fields {
  if (type.kind === "list") return type.entry;
  if (type.kind === "any" && type.members !== undefined) return type.members;
  const known = Object.entries(read ?? {});
  return Object.fromEntries(known.map(([name, member]) => [name, { presence: "optional", type: member } as const]));
}

/** The member of an object, or of the first object of a list. */
function memberOf(value: unknown, name: string): unknown {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  return typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
}

function exampleText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
