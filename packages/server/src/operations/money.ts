/** Money between the wire's decimal text and the ledger's minor units; wire words stop here. */
import { currencyScale, type Money } from "@titian/contract";
import { formatMinor, type Minor, parseMinor } from "../ledger/money.ts";

export interface Amount {
  readonly amount: Minor;
  readonly currency: string;
}

/** Undefined when the text has more decimals than the currency (JPY 1.50). */
export function readMoney(money: Money): Amount | undefined {
  const amount = parseMinor(money.value, scaleOf(money.currency));
  return amount === undefined ? undefined : { amount, currency: money.currency };
}

/** An amount a call may leave out: absent, read, or more decimals than its currency has. */
export function readOptional(money: Money | undefined): Amount | undefined | "tooFine" {
  return money === undefined ? undefined : (readMoney(money) ?? "tooFine");
}

export function writeMoney({ amount, currency }: Amount): Money {
  return { value: formatMinor(amount, scaleOf(currency)), currency };
}

/** An amount as spec D7 compares it: by its number, not by its spelling. */
export function amountFingerprint(money: Money | undefined): readonly (string | undefined)[] {
  return [(money && readMoney(money)?.amount.toString()) ?? money?.value, money?.currency];
}

/** Money as it was sent, with its currency's decimals. */
export function withDecimals(money: Money): Money {
  const amount = readMoney(money);
  return amount === undefined ? money : writeMoney(amount);
}

function scaleOf(currency: string): number {
  const scale = currencyScale(currency);
  if (scale === undefined) throw new Error(`currency ${currency} is not in the table of ISO 4217`);
  return scale;
}
