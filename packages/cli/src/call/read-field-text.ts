/** Values of `--field` texts by the types of their fields: `amount=250000` is 250000.00 rupiah. */
import { currencyScale, type Fields, type FieldType } from "@titian/contract";
import type { ReadText, Step } from "./assign-field.ts";

const currencyDefault = "IDR";

/** A text that is no number is sent as it is: the service says what is wrong with it. */
export function textReader(fields: Fields): ReadText {
  return (steps, text) => (typeAt(fields, steps)?.kind === "money" ? readMoney(text) : text);
}

function readMoney(text: string) {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const scale = currencyScale(currencyDefault) ?? 0;
  return { value: `${whole}.${decimals.padEnd(scale, "0")}`, currency: currencyDefault };
}

function typeAt(fields: Fields, [step, ...rest]: readonly Step[]): FieldType | undefined {
  const type = typeof step === "string" ? fields[step]?.type : undefined;
  if (type === undefined || rest.length === 0) return type;
  if (type.kind === "list") return typeAt(type.entry, rest.slice(1));
  return type.kind === "any" && type.members !== undefined ? typeAt(type.members, rest) : undefined;
}
