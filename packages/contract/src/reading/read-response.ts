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
 * field must be there. Any other response (202 too) needs the envelope only; its other fields must be well formed.
 */
export function readResponse<Row extends OperationRow>(row: Row, json: unknown): ReadResponse<Row["response"]> {
  if (!isObject(json)) return { ok: false, case: "badRequest", valid: {} };
  const success = typeof json.responseCode === "string" && parseResponseCode(json.responseCode)?.status === 200;
  const fields = success ? row.response : unsuccessfulFields(row.response);
  const walk: Walk = { allowsEmptyMandatory: true, faults: 0 };
  const valid = readFields(walk, fields, json);
  return findFault(walk, valid) ?? accept(row, success, valid);
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
