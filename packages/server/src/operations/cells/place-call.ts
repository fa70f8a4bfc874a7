/**
 * Cell that a call belongs to (ADR 0093). A write is decided in the cell of its payer, where every repeat of it comes, too; one
 * that names no payer, in home. Our own number says its cell; what is known by a partner's number alone may be in any.
 */
import { isObject, type OperationName, type operations } from "@titian/contract";
import { cellOf, fromReferenceNo, homeCell, timeOf } from "../../basics/ids.ts";
import type { Call } from "../../interfaces/call.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import type { Directory } from "../../ledger/reference/directory.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";

export type Place =
  /** `other`: cell of another account that takes part, such as the payee's. `isMoving`: nothing is taken for the payer now. */
  | { readonly kind: "cell"; readonly cell: number; readonly other?: number; readonly isMoving?: true }
  /** Any: only a partner's number says which, or nothing does. */
  | { readonly kind: "any" };

/** Operations with a handler: the others are received by partners, or answered by the edge itself. */
export type Placed = {
  [Name in OperationName]: (typeof operations)[Name]["kind"] extends "write" | "read" ? Name : never;
}[OperationName];

const home: Place = { kind: "cell", cell: homeCell };

export function placeCall(call: Call, reference: Reference): Place {
  const { placedBy } = call.operation.about;
  if (placedBy === undefined) return home;
  if ("numbers" in placedBy) return placeByNumber(call, placedBy.numbers, reference.directory);
  if ("account" in placedBy) return cellOfPayee(call, placedBy.account, placedBy.bank, reference) ?? home;
  // A transfer may carry a token, too, and is decided by its source account all the same.
  const payer = (placedBy.isByToken && call.customerAccountNo) ?? textAt(call, placedBy.payer);
  // A payer that the call leaves out is its merchant's, which is an account of home; a merchant is paid in any cell.
  if (payer === undefined) return home;
  const cell = reference.directory.cellOf(payer);
  if (reference.directory.moving.has(payer)) return { kind: "cell", cell, isMoving: true };
  const { payee: field, payeeBank } = placedBy;
  const payee = field === undefined ? undefined : cellOfPayee(call, field, payeeBank, reference);
  const other = payee?.cell;
  return other === undefined ? { kind: "cell", cell } : { kind: "cell", cell, other };
}

/** Undefined: it is not ours. */
function cellOfPayee(
  call: Call,
  field: string,
  bankField: string | undefined,
  { directory, rails }: Reference,
): Extract<Place, { kind: "cell" }> | undefined {
  const bank = bankField === undefined ? "own" : findBank(rails, textAt(call, bankField) ?? "");
  const accountNo = textAt(call, field);
  return bank === "own" && accountNo !== undefined ? { kind: "cell", cell: directory.cellOf(accountNo) } : undefined;
}

function placeByNumber(call: Call, fields: readonly string[], directory: Directory): Place {
  const number = fields.map((field) => textAt(call, field)).find((text) => text !== undefined);
  if (number === undefined) return { kind: "any" };
  const id = fromReferenceNo(number);
  return id === undefined ? home : { kind: "cell", cell: cellOfId(id, directory) };
}

/** Text of a field, or of a member of one. */
function textAt({ request }: Call, path: string): string | undefined {
  const [field = "", member] = path.split(".");
  const value = request[field];
  const text = member === undefined ? value : isObject(value) ? value[member] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Ids made before the first cell was added are home's, and so is a number that no cell has made. */
export function cellOfId(id: string, { since, cells }: Directory): number {
  if (since === undefined || timeOf(id) < since) return homeCell;
  const cell = cellOf(id);
  return cells.includes(cell) ? cell : homeCell;
}
