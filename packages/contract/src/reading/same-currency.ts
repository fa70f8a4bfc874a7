/** The one rule between two fields: a top-level `currency` is that of every amount beside it (spec D5). */
import { isObject } from "./walk.ts";

function currencyOf(holder: unknown): unknown {
  return isObject(holder) && isObject(holder.amount) ? holder.amount.currency : undefined;
}

/**
 * Path of the field that contradicts, or undefined: `currency` where it differs from `amount.currency`, and
 * `bulkObject[3].amount.currency` where an item differs from the bulk's `currency`.
 */
export function findCurrencyConflict(fields: Readonly<Record<string, unknown>>): string | undefined {
  const currency = fields.currency;
  if (currency === undefined) return undefined;
  const own = currencyOf(fields);
  if (own !== undefined && own !== currency) return "currency";
  if (!Array.isArray(fields.bulkObject)) return undefined;
  const index = fields.bulkObject.findIndex((item) => {
    const itemCurrency = currencyOf(item);
    return itemCurrency !== undefined && itemCurrency !== currency;
  });
  return index < 0 ? undefined : `bulkObject[${index}].amount.currency`;
}
