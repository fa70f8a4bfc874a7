/** Texts of others, shown to people. */

/**
 * Controls, changes of direction, line separators and halves of pairs as `\u001b`: what steers a terminal or shows as
 * nothing. JSON stays the same JSON.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(""),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
