/** Texts that other systems wrote. */

/** On one line and without control characters: they could steer the terminal. */
export function plain(text = ""): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/** Controls, changes of direction, line separators, halves of pairs: what steers a terminal, or shows as nothing. */
const unshowable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with `\uXXXX` for each character that acts on a terminal, line breaks included. */
export function visible(text: string): string {
  return text.replaceAll(unshowable, escapeCharacter);
}

/** As `visible`, of a text of ours whose line breaks are its own. In JSON the escapes stand for the same value. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** JSON on one line in which nothing can steer a terminal either: what parses it gets the same value. */
export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join("");
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
