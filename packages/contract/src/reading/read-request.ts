/** Reading the fields of a request (spec D2, steps 11 and 12). */

import type { ValuesOf } from "../fields/field-type.ts";
import type { OperationRow } from "../operations.ts";
import type { ReadFault, ReadFields, ReadResult } from "./read-result.ts";
import { findCurrencyConflict } from "./same-currency.ts";
import { isObject, readFields, type Walk } from "./walk.ts";

/**
 * Reads the fields of a request from parsed JSON: mandatory fields first, then formats, then the agreement of
 * currencies; the first fault in table order is returned. Unknown members are dropped, absent optionals left out.
 */
export function readRequest<Row extends OperationRow>(row: Row, json: unknown): ReadResult<ValuesOf<Row["request"]>> {
  if (!isObject(json)) return { ok: false, case: "badRequest", valid: {} };
  const walk: Walk = { allowsEmptyMandatory: false, missed: row.findMissing?.(json), faults: 0 };
  const valid = readFields(walk, row.request, json);
  return findFault(walk, valid) ?? findConflict(valid) ?? accept(row, valid);
}

/** The fault a walk ended with: missing outranks malformed. */
export function findFault(walk: Walk, valid: ReadFields): ReadFault | undefined {
  if (walk.missing !== undefined) return { ok: false, case: "invalidMandatoryField", field: walk.missing, valid };
  if (walk.malformed !== undefined) return { ok: false, case: "invalidFieldFormat", field: walk.malformed, valid };
  return undefined;
}

function findConflict(read: ReadFields): ReadFault | undefined {
  const field = findCurrencyConflict(read);
  if (field === undefined) return undefined;
  const [culprit] = field.split("[", 1);
  const valid = Object.fromEntries(Object.entries(read).filter(([name]) => name !== culprit));
  return { ok: false, case: "invalidFieldFormat", field, valid };
}

/** The table typed these fields and has just checked them: the one place where the two meet. */
function accept<Row extends OperationRow>(_row: Row, fields: ReadFields) {
  return { ok: true, value: fields as ValuesOf<Row["request"]> } as const;
}
