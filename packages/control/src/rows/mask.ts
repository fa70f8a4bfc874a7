/** Masks of personal data in answers. */
import type { Personal } from "@titian/contract";

/** A name or an account number within a sentence. */
export interface PersonalPart {
  readonly kind: "name" | "account";
  readonly text: string;
}

export type Mask = (kind: Personal, text: string, parts: readonly PersonalPart[]) => string;

const hidden = "••••";
const shownDigits = 4;

/** `named`: what the caller has named itself, which is written as it is. `showsReasons`: to whoever decides on acts. */
export function maskBut(named: ReadonlySet<string>, showsReasons = false): Mask {
  const mask: Mask = (kind, text, parts) => {
    if (named.has(text)) return text;
    switch (kind) {
      case "account":
        return maskAccount(text);
      case "name":
      case "text":
        return hidden;
      case "url":
        return maskSecrets(text);
      case "reason":
      case "sentence":
        if (kind === "reason" && !showsReasons) return hidden;
        return longestFirst(parts).reduce(
          (all, part) => all.replaceAll(part.text, mask(part.kind, part.text, [])),
          text,
        );
    }
  };
  return mask;
}

/** The address without what may be a secret in it: a name and password, and its query. */
function maskSecrets(url: string): string {
  const [base = "", ...query] = url.replace(/\/\/[^/@]*@/, `//${hidden}@`).split("?");
  return query.length === 0 ? base : `${base}?${hidden}`;
}

/** Accounts of the bank itself, such as clearing:IDR, are nobody's. */
function maskAccount(text: string): string {
  if (text.includes(":")) return text;
  return text.length > shownDigits ? `${hidden}${text.slice(-shownDigits)}` : hidden;
}

/** One may stand within another. */
function longestFirst(parts: readonly PersonalPart[]): readonly PersonalPart[] {
  return parts.filter(({ text }) => text !== "").toSorted((one, other) => other.text.length - one.text.length);
}

/** The names and numbers that an object lists of its sentences; no answer has them. */
export function partsOf(found: Readonly<Record<string, unknown>>): readonly PersonalPart[] | undefined {
  const { personalParts } = found;
  return Array.isArray(personalParts) ? (personalParts as readonly PersonalPart[]) : undefined;
}
