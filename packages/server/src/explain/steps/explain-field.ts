/** Steps 11 and 12: the field that is missing or malformed, in words of the contract (spec D2, D5). */
import {
  describeField,
  type Field,
  type Fields,
  isBlank,
  isObject,
  type OperationRow,
  type TextType,
} from "@titian/contract";
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { isSecretName } from "../secret-names.ts";
import { masked, shownValue } from "../shown.ts";
import { diagnose } from "../state.ts";
import { readBody } from "./read-body.ts";

const nameLengthMax = 60;
const namesMax = 100;

/** `path`: `bulkObject[3].amount.value`. */
export function explainField(received: Received, path: string, isMissing: boolean): Diagnosis {
  const { operation } = received;
  const body = readBody(received.evidence.body);
  if (operation === undefined || body === undefined) return diagnose("field", path, "field.unread", { field: path });
  const place = find(operation, body, path);
  if (isMissing) return explainMissing(place, path);
  const came = isSecretName(place.name) ? maskedValue(place.value) : shownValue(place.value);
  return explainMalformed(place, { field: path, came });
}

function maskedValue(value: unknown): string {
  return masked(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

interface Place {
  readonly name: string;
  readonly value: unknown;
  /** Undefined: a member of an amount, or an entry of a list. */
  readonly field: Field | undefined;
  /** Where the field's siblings are. */
  readonly holder: Readonly<Record<string, unknown>>;
  readonly siblings: Fields;
  readonly kind: "field" | "value" | "currency" | "entry";
}

function find(operation: OperationRow, body: Readonly<Record<string, unknown>>, path: string): Place {
  let holder: Readonly<Record<string, unknown>> = body;
  let siblings: Fields = operation.request;
  let field: Field | undefined;
  let value: unknown = body;
  let name = "";
  let kind: Place["kind"] = "field";
  for (const [step, key = "", index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) {
      value = Array.isArray(value) ? (value[Number(index)] as unknown) : undefined;
      kind = "entry";
      continue;
    }
    name = step;
    if (field?.type.kind === "list") siblings = field.type.entry;
    if (field?.type.kind === "money") kind = key === "value" ? "value" : "currency";
    else {
      field = siblings[key];
      kind = "field";
    }
    holder = isObject(value) ? value : {};
    value = holder[key];
  }
  return { name, value, field, holder, siblings, kind };
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

function explainMalformed(
  { value, field, kind }: Place,
  said: { readonly field: string; readonly came: string },
): Diagnosis {
  const say = (id: Parameters<typeof diagnose>[2], more = {}) =>
    diagnose("field", said.field, id, { ...said, ...more });
  if (kind === "value") return say("field.notAmount");
  if (kind === "entry") return say("field.notEntry");
  if (kind === "currency") {
    if (typeof value !== "string") return say("field.notText");
    return /^[A-Z]{3}$/.test(value) ? say("field.currency") : say("field.format", { expected: "ISO 4217 code." });
  }
  switch (field?.type.kind) {
    case "money":
      return say("field.notMoney");
    case "list":
      return say("field.notList", { min: String(field.type.min), max: String(field.type.max) });
    case "text":
      return explainText(field.type, { value, isCurrency: /\bcurrency$/.test(said.field) }, say);
    default:
      return say("field.faulty");
  }
}

function explainText(
  type: TextType,
  { value, isCurrency }: { readonly value: unknown; readonly isCurrency: boolean },
  say: (id: Parameters<typeof diagnose>[2], more?: Readonly<Record<string, string>>) => Diagnosis,
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
