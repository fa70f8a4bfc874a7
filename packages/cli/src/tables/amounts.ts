/** Amounts on the command line: decimal strings of a currency, as in calls. */
import { currencyScale } from "@titian/contract";
import { formatMinor, parseMinor, type Minor } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";

/** @throws CliError that names the option when the text is not an amount of the currency. */
export function readAmount(option: string, text: string, currency: string): Minor {
  const scale = currencyScale(currency);
  if (scale === undefined) throw usageError(`${currency} is not an ISO 4217 currency.`);
  const amount = parseMinor(text, scale);
  if (amount !== undefined) return amount;
  throw usageError(`${option} ${text} is not an amount in ${currency}: write digits and at most ${scale} decimals.`);
}

/** With the decimals of the currency. */
export function showAmount(amount: bigint, currency: string): string {
  return formatMinor(amount, currencyScale(currency) ?? 0);
}
