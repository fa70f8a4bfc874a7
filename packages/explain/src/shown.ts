/** Values of a call as they are shown: short, without characters that act on a terminal, and without secrets. */
import { isSecretName } from "./secret-names.ts";

const lengthMax = 60;
/** Controls, changes of direction, line separators, halves of pairs: what shows as something else or as nothing. */
const unshowable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** The text with `\uXXXX` for what cannot be seen, cut after `max` characters. */
export function shown(text: string, max = lengthMax): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text;
  return cut.replace(unshowable, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

const knownLength = 6;

/** The start of a token or signature and its length. A short text shows nothing: it may be a password. */
export function masked(text: string): string {
  const start = text.length > knownLength * 4 ? shown(text.slice(0, knownLength)) : "";
  return `${start}… (${text.length} characters)`;
}

/** A JSON value as its text: `10000`, `{"value":1}`. Of members that are secrets nothing is shown. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value, (name, member: unknown) => (isSecretName(name) ? "…" : member));
  return shown(text ?? "nothing");
}
