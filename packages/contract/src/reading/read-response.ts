/** Reading the fields of a response: the caller's side, and the provider reading a partner's reply. */
import type { Fields, ValuesOf } from "../fields/field-type.ts";
import { type Envelope, envelope } from "../operation.ts";
import type { OperationRow } from "../operations.ts";
import { parseResponseCode } from "../response-code.ts";
import { findFault } from "./read-request.ts";
import type { ReadFault, ReadFields } from "./read-result.ts";
import { isObject, readFields, type Walk } from "./walk.ts";

/** A response that is no success: only the envelope is certain. */
export type UnsuccessfulValues<F extends Fields> = ValuesOf<Envelope> & Partial<ValuesOf<F>>;

export type ReadResponse<F extends Fields> =
  | { readonly ok: true; readonly success: true; readonly value: ValuesOf<F> }
  | { readonly ok: true; readonly success: false; readonly value: UnsuccessfulValues<F> }
  | ReadFault;

/**
 * Reads the fields of a response from parsed JSON. `success` is a response code of status 200: then every mandatory
 * field must be there, and what only a success has: our number, above all. Any other response (202 too) needs the envelope only; its other fields must be well formed.
 */
export function readResponse<Row extends OperationRow>(row: Row, json: unknown): ReadResponse<Row["response"]> {
  if (!isObject(json)) return { ok: false, case: "badRequest", valid: {} };
  const success = typeof json.responseCode === "string" && parseResponseCode(json.responseCode)?.status === 200;
  const fields = success ? row.response : unsuccessfulFields(row.response);
  const walk: Walk = { allowsEmptyMandatory: true, faults: 0 };
  const valid = withMembers(fields, readFields(walk, fields, json));
  const missing = success ? certainNames(row).find((name) => valid[name] === undefined) : undefined;
  const fault = findFault(walk, valid);
  if (fault !== undefined) return fault;
  if (missing !== undefined) return { ok: false, case: "invalidMandatoryField", field: missing, valid };
  return accept(row, success, valid);
}

/** As `ResponseOf` has them. */
function certainNames({ response, about: { number } }: OperationRow): readonly string[] {
  return Object.keys(response).filter((name) => name === number || response[name]?.presence === "onSuccess");
}

/**
 * Free-form values with the members that the row says, read like fields. One that is malformed is left out, since what a
 * provider adds of its own makes no response unreadable.
 */
function withMembers(fields: Fields, read: ReadFields): ReadFields {
  const values: Record<string, unknown> = { ...read };
  for (const [name, { type }] of Object.entries(fields)) {
    if (type.kind !== "any" || type.members === undefined || values[name] === undefined) continue;
    const value = readMembers(type.members, values[name]);
    if (value === undefined) delete values[name];
    else values[name] = value;
  }
  return values;
}

/** Undefined for no object, and for one without a mandatory member. */
function readMembers(members: Fields, value: unknown): ReadFields | undefined {
  if (!isObject(value)) return undefined;
  const read = withMembers(members, readFields({ allowsEmptyMandatory: true, faults: 0 }, members, value));
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(members, name));
  const isWhole = Object.entries(members).every(([name, { presence }]) => presence !== "mandatory" || name in read);
  return isWhole ? { ...Object.fromEntries(others), ...read } : undefined;
}

const unsuccessful = new WeakMap<Fields, Fields>();

/** The response's table with every field but the envelope's optional. */
function unsuccessfulFields(response: Fields): Fields {
  const known = unsuccessful.get(response);
  if (known !== undefined) return known;
  const fields: Record<string, Fields[string]> = {};
  for (const [name, field] of Object.entries(response)) {
    fields[name] = name in envelope ? field : { ...field, presence: "optional" };
  }
  unsuccessful.set(response, fields);
  return fields;
}

/** The table typed these fields and has just checked them: the one place where the two meet. */
function accept<Row extends OperationRow>(
  _row: Row,
  success: boolean,
  fields: ReadFields,
): ReadResponse<Row["response"]> {
  return success
    ? { ok: true, success, value: fields as ValuesOf<Row["response"]> }
    : { ok: true, success, value: fields as UnsuccessfulValues<Row["response"]> };
}
