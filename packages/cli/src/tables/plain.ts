/** Texts that other systems wrote. */
import { escapeControls } from "@titian/contract";

/** On one line and without control characters: they could steer the terminal. */
export function plain(text = ""): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/** The text with `\uXXXX` for each character that acts on a terminal, line breaks included. */
export const visible: (text: string) => string = escapeControls;

/** As `visible`, of a text of ours whose line breaks are its own. In JSON the escapes stand for the same value. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** JSON on one line in which nothing can steer a terminal either: what parses it gets the same value. */
export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}
