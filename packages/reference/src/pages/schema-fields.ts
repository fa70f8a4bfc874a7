/** Members of plain JSON Schema, as control calls have it, as fields of a page. */
import type { ObjectSchema, Schema } from "@titian/contract";
import type { FieldEntry } from "../blocks/block.ts";
import { texts } from "../frame/texts.ts";
import type { Language } from "../languages.ts";

const typeNames: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  string: { en: "text", id: "teks" },
  integer: { en: "whole number", id: "bilangan bulat" },
  number: { en: "number", id: "bilangan" },
  boolean: { en: "true or false", id: "true atau false" },
  object: { en: "object", id: "objek" },
  null: { en: "null", id: "null" },
};

const words = {
  list: { en: "list of", id: "daftar" },
  from: { en: "from {min}", id: "mulai {min}" },
  to: { en: "to {max}", id: "sampai {max}" },
  upTo: { en: "up to {max} characters", id: "paling banyak {max} karakter" },
  any: { en: "any JSON", id: "JSON apa pun" },
  default: { en: "Default:", id: "Nilai bawaan:" },
} as const;

export function schemaFields(
  { properties, required }: Pick<ObjectSchema, "properties" | "required">,
  anchor: string,
  language: Language,
  isAnswer: boolean,
): readonly FieldEntry[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isMandatory = required.includes(name);
    const inner = objectIn(schema);
    const id = `${anchor}-${name}`;
    return {
      id,
      name,
      type: typeOf(schema, language),
      presence: texts[isMandatory ? (isAnswer ? "always" : "required") : "optional"][language],
      isMandatory: isMandatory && !isAnswer,
      description: sentenceOf(schema, language),
      example: undefined,
      children: inner === undefined ? [] : schemaFields(inner, id, language, isAnswer),
    };
  });
}

/** The object that a member is, or has entries of. */
function objectIn({ properties, required = [], items, anyOf }: Schema): ObjectSchema | undefined {
  if (properties !== undefined) return { properties, required };
  if (items !== undefined) return objectIn(items);
  return anyOf?.map(objectIn).find((found) => found !== undefined);
}

function typeOf(schema: Schema, language: Language): string {
  const { type, enum: values, anyOf, items, maxLength, minimum, maximum } = schema;
  const say = (name: keyof typeof words) => words[name][language];
  if (values !== undefined) return values.map(String).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, language)))].join(" | ");
  if (items !== undefined) return `${say("list")} ${typeOf(items, language)}`;
  if (type === undefined) return say("any");
  const bounds = [
    maxLength === undefined ? undefined : say("upTo").replace("{max}", String(maxLength)),
    minimum === undefined ? undefined : say("from").replace("{min}", String(minimum)),
    maximum === undefined ? undefined : say("to").replace("{max}", String(maximum)),
  ].filter((bound) => bound !== undefined);
  return [typeNames[type]?.[language] ?? type, bounds.join(" ")].filter((part) => part !== "").join(", ");
}

function sentenceOf({ description, default: value }: Schema, language: Language): string {
  const known = value === undefined ? "" : `${words.default[language]} \`${JSON.stringify(value)}\`.`;
  const sentence = description === undefined ? "" : `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return [sentence.replace(/\.\.$/, "."), known].filter((part) => part !== "").join(" ");
}
