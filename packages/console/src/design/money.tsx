/** Amounts, without ever becoming a floating-point number. */
import { language } from "../preferences.ts";

const signs = { en: { group: ",", point: "." }, id: { group: ".", point: "," } } as const;

/** "1500000.00" as "1,500,000.00" or "1.500.000,00"; a text that is no decimal number stays as it is. */
function groupDigits(amount: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!match) return amount;
  const [, sign = "", whole = "", fraction] = match;
  const { group, point } = signs[language.value];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${sign}${grouped}${fraction === undefined ? "" : `${point}${fraction}`}`;
}

export function moneyText(amount: string, currency: string): string {
  return `${currency === "IDR" ? "Rp" : currency} ${groupDigits(amount)}`;
}

interface AmountProps {
  readonly value: string | undefined;
  readonly currency?: string;
  /** Shown as what came or went. */
  readonly direction?: "debit" | "credit";
}

export function Amount({ value, currency, direction }: AmountProps) {
  if (value === undefined) return <span class="muted">–</span>;
  const text = currency === undefined ? groupDigits(value) : moneyText(value, currency);
  const sign = direction === undefined ? "" : direction === "debit" ? "−" : "+";
  return <span class={`amount${direction === "credit" ? " credit" : ""}`}>{`${sign}${text}`}</span>;
}
