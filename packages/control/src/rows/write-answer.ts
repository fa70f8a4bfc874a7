/** Answers by their schema: the members that it names and no others, amounts as decimal texts, times as ISO 8601. */
import { formatTimestamp, isObject, type Schema } from "@titian/contract";
import { writeAmount } from "../money-text.ts";
import { type Mask, type PersonalPart, partsOf } from "./mask.ts";

/** Surroundings of a value. */
interface Around {
  readonly currency?: string | undefined;
  readonly parts?: readonly PersonalPart[] | undefined;
}

/** `mask`: of personal data; absent: it is written as it is. */
export function writeAnswer(schema: Schema, found: unknown, mask?: Mask, around: Around = {}): unknown {
  const { anyOf, items, properties, additionalProperties } = schema;
  // Type inside `orNull`.
  const value = anyOf?.find(({ type }) => type !== "null");
  if (found === undefined || found === null) return value === undefined ? found : null;
  if (value !== undefined) return writeAnswer(value, found, mask, around);
  if (typeof found === "bigint") return writeIn(around.currency, found);
  if (typeof found === "number") return schema.type === "string" ? formatTimestamp(found) : found;
  if (typeof found === "string" && mask && schema.personal) return mask(schema.personal, found, around.parts ?? []);
  if (items !== undefined && Array.isArray(found)) return found.map((entry) => writeAnswer(items, entry, mask, around));
  if (!isObject(found)) return found;
  const own: Around = {
    currency: typeof found["currency"] === "string" ? found["currency"] : around.currency,
    parts: partsOf(found) ?? around.parts,
  };
  const members = properties ?? membersOf(found, additionalProperties);
  if (members === undefined) return found;
  const values = Object.entries(members).map(([name, member]) => [name, writeAnswer(member, found[name], mask, own)]);
  return Object.fromEntries(values);
}

/** Schemas of a record's members: that of all members, for each that is there. */
function membersOf(found: object, schema: Schema["additionalProperties"]): Schema["properties"] {
  if (typeof schema !== "object") return undefined;
  return Object.fromEntries(Object.keys(found).map((name) => [name, schema]));
}

function writeIn(currency: string | undefined, minor: bigint): string {
  if (currency === undefined) throw new Error("An answer has an amount without a currency.");
  return writeAmount(minor, currency);
}
