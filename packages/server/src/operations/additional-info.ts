/** Texts that an operation reads out of `additionalInfo`: the rules are those of any other field (decision D5). */
import { isBlank, isObject, type TextType } from "@titian/contract";
import type { Said } from "./write.ts";

/** Reads the named members of an object, and nothing of any other JSON; what is there and does not fit is 400xx01. */
export function readAdditional<Name extends string>(
  additionalInfo: unknown,
  types: Readonly<Record<Name, TextType>>,
): Said<Readonly<Partial<Record<Name, string>>>> {
  const said: Partial<Record<Name, string>> = {};
  for (const [name, type] of Object.entries<TextType>(types)) {
    const given = isObject(additionalInfo) ? additionalInfo[name] : undefined;
    if (isBlank(given)) continue;
    const text = typeof given === "string" ? type.read(given) : undefined;
    if (text === undefined) {
      return { ok: false, reply: { case: "invalidFieldFormat", field: `additionalInfo.${name}` } };
    }
    said[name as Name] = text;
  }
  return { ok: true, said };
}
