/** Parts of sentences about acts, in both languages. */
import { currencyScale } from "@titian/contract";
import { formatMinor, minor } from "../../ledger/money.ts";

export interface Sentence {
  readonly en: string;
  readonly id: string;
}

/** Names and account numbers that stand in the sentence. */
export interface PersonalPart {
  readonly kind: "name" | "account";
  readonly text: string;
}

export interface AboutPeople extends Sentence {
  readonly personalParts?: readonly PersonalPart[];
}

export const accountPart = (text: string): PersonalPart => ({ kind: "account", text });
export const namePart = (text: string): PersonalPart => ({ kind: "name", text });

/** `amount` in minor units. Its digits are in groups: somebody approves what is read here. */
export function money(amount: unknown, currency: unknown): Sentence {
  const code = String(currency);
  const scale = currencyScale(code) ?? 0;
  const text = formatMinor(minor(BigInt(String(amount))), scale) as Intl.StringNumericLiteral;
  const inLanguage = (language: string) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: scale, maximumFractionDigits: scale }).format(text);
  return { en: `${code} ${inLanguage("en")}`, id: `${code} ${inLanguage("id")}` };
}
