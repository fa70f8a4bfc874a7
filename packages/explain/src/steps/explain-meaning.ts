/** Step 12: values of the right form whose meaning is refused (spec D10, D12, D13). */
import { formatTimestamp, isObject, parseTimestamp } from "@titian/contract";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { diagnose } from "../state.ts";
import type { Said } from "./explain-malformed.ts";
import type { Place } from "./field-place.ts";

/** Undefined: it is of the wrong form, or there is no such rule for the field. */
export function explainMeaning({ evidence }: Received, place: Place, said: Said): Diagnosis | undefined {
  const { name, value, field } = place;
  if (typeof value !== "string" || field?.type.kind !== "text" || field.type.read(value) === undefined)
    return undefined;
  const { businessTime } = evidence;
  const time = { ...said, ourClock: businessTime === undefined ? "?" : formatTimestamp(businessTime) };
  if (name === "expiredDatetime") {
    const isAhead = businessTime !== undefined && (parseTimestamp(value) ?? 0) > businessTime;
    return diagnose("field", said.field, isAhead ? "field.tooFarAhead" : "field.past", time);
  }
  if (said.field === "additionalInfo.validUpTo") return diagnose("field", said.field, "field.validity", time);
  if (place.list === undefined || name !== "partnerReferenceNo") return undefined;
  const at = place.list.findIndex((item) => isObject(item) && item[name] === value);
  const first = said.field.replace(/\d+/, String(at));
  return diagnose("field", said.field, "field.repeatedItem", { ...said, first });
}
