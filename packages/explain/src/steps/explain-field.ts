/** Steps 11 and 12: the field that is missing or malformed, in words of the contract (spec D2, D5). */
import { describeField, formatTimestamp, isObject, parseTimestamp } from "@titian/contract";
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { isSecretName } from "../secret-names.ts";
import { masked, shownValue } from "../shown.ts";
import { diagnose } from "../state.ts";
import { explainMalformed, type Said } from "./explain-malformed.ts";
import { findPlace, type Place } from "./field-place.ts";
import { readBody } from "./read-body.ts";

const nameLengthMax = 60;
const namesMax = 100;

/** `path`: `bulkObject[3].amount.value`. */
export function explainField(received: Received, path: string, isMissing: boolean): Diagnosis {
  const { operation } = received;
  const body = readBody(received.evidence.body);
  if (operation === undefined || body === undefined) return diagnose("field", path, "field.unread", { field: path });
  const place = findPlace(operation, body, path);
  if (isMissing) return explainMissing(place, path);
  const came = isSecretName(place.name) ? maskedValue(place.value) : shownValue(place.value);
  const said = { field: path, came };
  return explainMeaning(received, place, said) ?? explainMalformed(place, said);
}

function maskedValue(value: unknown): string {
  return masked(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function explainMissing({ name, field, holder, siblings, kind }: Place, path: string): Diagnosis {
  const names = kind === "field" ? Object.keys(siblings) : ["value", "currency"];
  const others = Object.keys(holder)
    .slice(0, namesMax)
    .filter((key) => key.length <= nameLengthMax && !names.includes(key));
  const near = others.find((key) => nearest(key, names) === name) ?? nearest(name, others);
  if (near !== undefined) return diagnose("field", path, "field.missingNear", { field: path, near: shownValue(near) });
  const meaning = (kind === "field" && field !== undefined && describeField(name, field)) || "";
  return diagnose("field", path, "field.missing", { field: path, meaning });
}

/**
 * Explains a value of the right form (spec D10, D12, D13). Undefined: it is of the wrong form, or there is no such rule
 * for it.
 */
function explainMeaning({ evidence }: Received, place: Place, said: Said): Diagnosis | undefined {
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
