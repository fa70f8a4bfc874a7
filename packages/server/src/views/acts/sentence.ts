/** Parts of sentences about acts, in both languages. */
import { currencyScale } from "@titian/contract";
import { formatMinor, minor } from "../../ledger/money.ts";

export interface Sentence {
  readonly en: string;
  readonly id: string;
}

/** `amount` in minor units. Its digits are in groups: somebody approves what is read here. */
export function money(amount: unknown, currency: unknown): Sentence {
  const code = String(currency);
  const scale = currencyScale(code) ?? 0;
  const text = formatMinor(minor(BigInt(String(amount))), scale) as Intl.StringNumericLiteral;
  const inLanguage = (language: string) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: scale, maximumFractionDigits: scale }).format(text);
  return { en: `${code} ${inLanguage("en")}`, id: `${code} ${inLanguage("id")}` };
}
