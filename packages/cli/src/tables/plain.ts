/** Texts that other systems wrote. */

/** On one line and without control characters: they could steer the terminal. */
export function plain(text = ""): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/** JSON on one line in which nothing can steer a terminal either: what parses it gets the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(""),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
