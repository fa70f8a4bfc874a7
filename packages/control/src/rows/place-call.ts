/** The cell that a control call works on: that of the account or of the number of ours that it names (docs/adr/0097-control-calls-of-cells.md). */
import { isObject, string } from "@titian/contract";
import { fromReferenceNo, homeCell } from "@titian/server/admin";
import { invalidField } from "../control-error.ts";
import type { AnyCall } from "./define-call.ts";

/** Cells as home lists them. */
export interface ControlCells {
  /** True: a call may name its cell in the query, as `cell`. */
  readonly isChosen: boolean;
  /** Home among them, and alone where there are no others. */
  numbers(): readonly number[];
  /** Cell of an account number. */
  cellOf(accountNo: string): number;
  /** Cell in which an id was made. */
  cellOfId(id: string): number;
}

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Member of the query of every call that is not home's always. */
export const cellMember = string({
  pattern: "^[0-9]{1,3}$",
  description: "the number of a cell that home lists, or 0 for home",
});

/** First parts of the paths of what home has for all cells. */
const homes: ReadonlySet<string> = new Set([
  "audit",
  "auth-codes",
  "calls",
  "cells",
  "clock",
  "consents",
  "merchants",
  "moves",
  "operations",
  "operators",
  "partners",
  "records",
  "refusals",
  "session",
  "sign",
  "switches",
]);

/** True: it works on home, whatever it names. */
export const isOfHome = ({ path, join }: Pick<AnyCall, "path" | "join">): boolean =>
  join === undefined && homes.has(path.split("/")[1] ?? "");

const ofAccounts = ["accountNo", "payerAccountNo"];
const ofNumbers = ["referenceNo", "bulkId"];
/** Either of both. */
const ofBoth = ["target"];

/** Undefined: the call names none, and works on home. @throws ControlError for a cell that there is not, and where it names two */
export function placeCall(call: AnyCall, { params, query, body }: Input, cells: ControlCells): number | undefined {
  if (isOfHome(call) || cells.numbers().length === 1) return undefined;
  const chosen = readCell(query, cells);
  const named = [params, query, body].flatMap((part) => namedIn(part, cells));
  const cell = chosen ?? named[0]?.cell;
  const other = named.find((one) => one.cell !== cell);
  if (other === undefined) return cell;
  throw invalidField(other.field, `${other.text} is in cell ${other.cell}, and the call names cell ${cell}, too.`);
}

function readCell(query: unknown, cells: ControlCells): number | undefined {
  const text = isObject(query) ? query["cell"] : undefined;
  if (typeof text !== "string") return undefined;
  const cell = Number(text);
  if (cells.numbers().includes(cell)) return cell;
  throw invalidField("cell", `There is no cell ${text}: cell must be one of ${cells.numbers().join(", ")}.`);
}

interface Named {
  readonly field: string;
  readonly text: string;
  readonly cell: number;
}

/** Also in the objects of a list, such as the entries of a correction. */
function namedIn(part: unknown, cells: ControlCells): readonly Named[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([field, value]) => {
    if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, cells));
    const cell = typeof value === "string" ? cellNamed(field, value, cells) : undefined;
    return cell === undefined ? [] : [{ field, text: value as string, cell }];
  });
}

function cellNamed(field: string, text: string, cells: ControlCells): number | undefined {
  const isAccount = ofAccounts.includes(field);
  if (!isAccount && !ofNumbers.includes(field) && !ofBoth.includes(field)) return undefined;
  // Each cell has accounts of its own under these numbers, such as clearing:IDR.
  if (text.includes(":")) return undefined;
  if (isAccount) return cellOfAccount(text, cells);
  const id = fromReferenceNo(text);
  if (id !== undefined) return cells.cellOfId(id);
  return ofNumbers.includes(field) ? homeCell : cells.cellOf(text);
}

/** By its number, or by its accountId, as where numbers are masked. */
export function cellOfAccount(named: string, cells: Pick<ControlCells, "cellOf" | "cellOfId">): number {
  const cell = cells.cellOf(named);
  const id = cell === homeCell ? fromReferenceNo(named) : undefined;
  return id === undefined ? cell : cells.cellOfId(id);
}
