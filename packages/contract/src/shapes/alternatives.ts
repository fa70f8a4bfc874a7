/** Schemas of rules between fields: a request fits one of its row's alternatives. */
import { anySpace } from "../fields/characters.ts";
import { anyOf, type Schema, string } from "../fields/schema.ts";

/** A text that does not count as absent. */
const present: Schema = { type: "string", pattern: `[^${anySpace}]`, description: "Given, and not blank." };

/** The field is there and not blank; `others` say what further fields hold where they are there. */
export function given(name: string, others: Readonly<Record<string, Schema>> = {}): Schema {
  return { required: [name], properties: { [name]: present, ...others } };
}

/** The text, which is written in lower case here. */
export function inAnyCase(text: string): Schema {
  const pattern = `^${text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}$`;
  return string({ pattern, description: `Is ${text}, in any case.` });
}

export const blank: Schema = anyOf([{ type: "null" }, { type: "string", pattern: `^[${anySpace}]*$` }]);
