/** Reads `additionalInfo` of requests, and adds to it in responses (spec D5). */
import { isBlank, isObject, type TextType } from "@titian/contract";
import type { Parsed } from "../parsed.ts";

/** Reads the named members of an object; other JSON has none. An invalid member is 400xx01. */
export function readAdditional<Name extends string>(
  additionalInfo: unknown,
  types: Readonly<Record<Name, TextType>>,
): Parsed<Readonly<Partial<Record<Name, string>>>> {
  const parsed: Partial<Record<Name, string>> = {};
  for (const [name, type] of Object.entries<TextType>(types)) {
    const given = isObject(additionalInfo) ? additionalInfo[name] : undefined;
    if (isBlank(given)) continue;
    const text = typeof given === "string" ? type.read(given) : undefined;
    if (text === undefined) {
      return { ok: false, reply: { case: "invalidFieldFormat", field: `additionalInfo.${name}` } };
    }
    parsed[name as Name] = text;
  }
  return { ok: true, parsed };
}

/**
 * The answer's `additionalInfo`: the request's, as it came, with our members behind its own. What the request said of them
 * stays; to JSON that is no object nothing is added. Both may be absent.
 */
export function addToReceived(
  received: Uint8Array | undefined,
  ours: Readonly<Record<string, string>> | undefined,
): unknown {
  if (received === undefined || ours === undefined) return received ?? ours;
  const text = Buffer.from(received).toString("utf8");
  const given: unknown = JSON.parse(text);
  if (!isObject(given)) return received;
  const added = Object.entries(ours).filter(([name]) => isBlank(given[name]));
  if (added.length === 0) return received;
  // A blank member counts as absent: ours replaces it.
  if (added.some(([name]) => name in given)) return { ...given, ...Object.fromEntries(added) };
  const members = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  const comma = Object.keys(given).length === 0 ? "" : ",";
  return Buffer.from(`${text.slice(0, text.lastIndexOf("}"))}${comma}${members}}`);
}
