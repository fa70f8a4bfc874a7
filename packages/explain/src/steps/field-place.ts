/** Where a field stands in a body, and what the contract has there. */
import { type Field, type Fields, isObject, type OperationRow, optional } from "@titian/contract";

export interface Place {
  readonly name: string;
  readonly value: unknown;
  /** Undefined: a member of an amount, or an entry of a list. */
  readonly field: Field | undefined;
  /** Where the field's siblings are. */
  readonly holder: Readonly<Record<string, unknown>>;
  readonly siblings: Fields;
  /** Entries of the list that it is in. */
  readonly list?: readonly unknown[] | undefined;
  readonly kind: "field" | "value" | "currency" | "entry";
}

/** `path`: `bulkObject[3].amount.value`. */
export function findPlace(operation: OperationRow, body: Readonly<Record<string, unknown>>, path: string): Place {
  let holder: Readonly<Record<string, unknown>> = body;
  let siblings: Fields = operation.request;
  let field: Field | undefined;
  let value: unknown = body;
  let list: readonly unknown[] | undefined;
  let name = "";
  let kind: Place["kind"] = "field";
  for (const [step, key = "", index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) {
      list = Array.isArray(value) ? value : undefined;
      value = list?.[Number(index)];
      kind = "entry";
      continue;
    }
    name = step;
    if (field?.type.kind === "list") siblings = field.type.entry;
    if (field?.type.kind === "any") siblings = membersOf(operation);
    if (field?.type.kind === "money") kind = key === "value" ? "value" : "currency";
    else {
      field = siblings[key];
      kind = "field";
    }
    holder = isObject(value) ? value : {};
    value = holder[key];
  }
  return { name, value, field, holder, siblings, list, kind };
}

/** Members of free-form JSON that are read. */
function membersOf({ about: { members = {} } }: OperationRow): Fields {
  return Object.fromEntries(Object.entries(members).map(([name, type]) => [name, optional(type)]));
}
