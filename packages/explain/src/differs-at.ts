/** Where the text that the caller signed departs from ours. */
import type { Difference } from "./report.ts";
import { shown } from "./shown.ts";

const around = 16;

/** `secrets`: what is masked in both texts. Undefined when the texts are the same. */
export function differsAt(ours: string, theirs: string, secrets: readonly string[]): Difference | undefined {
  if (ours === theirs) return undefined;
  let index = 0;
  while (index < ours.length && ours[index] === theirs[index]) index += 1;
  return { index, ours: excerpt(ours, index, secrets), theirs: excerpt(theirs, index, secrets) };
}

function excerpt(text: string, index: number, secrets: readonly string[]): string {
  const from = Math.max(0, index - around);
  const to = Math.min(text.length, index + around);
  const hidden = secrets.flatMap((secret) => placesOf(text, secret, from, to));
  const isHidden = (at: number) => hidden.some(([start, end]) => at >= start && at < end);
  const letters = Array.from({ length: to - from }, (_, offset) =>
    isHidden(from + offset) ? "•" : text[from + offset],
  );
  const start = from > 0 ? "…" : "";
  return `${start}${shown(letters.join(""), around * 2)}${to < text.length ? "…" : ""}`;
}

/** Where a secret stands near the window, in whatever letter case. */
function placesOf(text: string, secret: string, from: number, to: number): readonly (readonly [number, number])[] {
  const start = Math.max(0, from - secret.length);
  const near = text.slice(start, to + secret.length).toLowerCase();
  const found: (readonly [number, number])[] = [];
  for (let at = near.indexOf(secret.toLowerCase()); at >= 0; at = near.indexOf(secret.toLowerCase(), at + 1)) {
    found.push([start + at, start + at + secret.length]);
  }
  return found;
}
