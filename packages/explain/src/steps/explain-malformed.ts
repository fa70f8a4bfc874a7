/** Step 12: values that are not of their field's type (spec D5). */
import { currencyScale, isBlank, type ListType, type TextType } from "@titian/contract";
import type { Diagnosis } from "../report.ts";
import { diagnose } from "../state.ts";
import type { Place } from "./field-place.ts";

type Say = (id: Parameters<typeof diagnose>[2], more?: Readonly<Record<string, string>>) => Diagnosis;

export interface Said {
  /** Its path: `bulkObject[3].amount.value`. */
  readonly field: string;
  /** Its value as it is shown. */
  readonly came: string;
}

export function explainMalformed({ value, field, kind, holder }: Place, said: Said): Diagnosis {
  const say = (id: Parameters<typeof diagnose>[2], more = {}) =>
    diagnose("field", said.field, id, { ...said, ...more });
  if (kind === "value") return explainAmount(value, holder.currency, say);
  if (kind === "entry") return say("field.notEntry");
  if (kind === "currency") {
    if (typeof value !== "string") return say("field.notText");
    return currencyScale(value) !== undefined
      ? say("field.currency")
      : say("field.format", { expected: "ISO 4217 code." });
  }
  switch (field?.type.kind) {
    case "money":
      return say("field.notMoney");
    case "list":
      return explainList(field.type, value, say);
    case "text":
      return explainText(field.type, { value, isCurrency: /\bcurrency$/.test(said.field) }, say);
    default:
      return say("field.faulty");
  }
}

/** Digits of every amount, before and behind the point (spec D5). */
const digitsMax = 16;
const decimalsMax = 2;

function explainAmount(value: unknown, currency: unknown, say: Say): Diagnosis {
  const scaleOfCurrency = typeof currency === "string" ? currencyScale(currency) : undefined;
  const [, whole, decimals = ""] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(typeof value === "string" ? value : "") ?? [];
  if (whole === undefined || scaleOfCurrency === undefined) return say("field.notAmount");
  const scale = Math.min(decimalsMax, scaleOfCurrency);
  if (decimals.length > decimalsMax || /[^0]/.test(decimals.slice(scale))) {
    const example = scale === 0 ? whole : `${whole}.${decimals.slice(0, scale)}`;
    return say("field.tooFine", { decimals: String(scale), currency: String(currency), example });
  }
  return say(whole.length > digitsMax ? "field.tooLarge" : "field.notAmount");
}

function explainList({ min, max }: ListType, value: unknown, say: Say): Diagnosis {
  const size = { min: String(min), max: String(max) };
  return Array.isArray(value)
    ? say("field.listLength", { ...size, length: String(value.length) })
    : say("field.notList", size);
}

function explainText(
  type: TextType,
  { value, isCurrency }: { readonly value: unknown; readonly isCurrency: boolean },
  say: Say,
): Diagnosis {
  if (typeof value !== "string") return say("field.notText");
  const length = Array.from(value).length;
  if (type.values !== undefined && type.read(value) === undefined)
    return say("field.oneOf", { values: type.values.join(", ") });
  if (length > type.max) return say("field.tooLong", { length: String(length), max: String(type.max) });
  // It is well-formed: what is wrong with it is its meaning.
  if (!isBlank(value) && type.read(value) !== undefined) return say(isCurrency ? "field.currency" : "field.faulty");
  return type.format === undefined ? say("field.characters") : say("field.format", { expected: type.format });
}
