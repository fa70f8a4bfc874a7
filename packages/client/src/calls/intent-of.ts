/** Key by which the provider orders sends, beside their external id: their number, of a change with its hold (spec D7). */
import { isObject, operationRows } from "@titian/contract";
import { type CallName, isWriteName } from "../names.ts";

const fields = [
  ...new Set(operationRows.flatMap(({ about }) => [about.partnerNumber ?? [], about.within ?? []].flat())),
];

/** Undefined for a read, and for a body that names no number: it is known by its external id alone. */
export function intentOf(name: CallName, bytes: Uint8Array): string | undefined {
  if (!isWriteName(name)) return undefined;
  const body = parse(bytes);
  const values = isObject(body) ? fields.map((field) => body[field]) : [];
  return values.some((value) => value !== undefined) ? JSON.stringify([name, ...values]) : undefined;
}

/** An attempt from storage may be anything: the provider says so. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
