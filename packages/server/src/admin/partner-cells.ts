/** Cells of a partner (docs/adr/0095-bound-keys.md): those in which it may have accounts, checked before anything is written. */
import { homeCell } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { readCellRows } from "../store/reference/cells.ts";
import { cellsOfPartner } from "../ledger/reference/reference-data.ts";
import type { PartnerSettings } from "../store/reference/reference.ts";
import { type AdminResult, rejected } from "./result.ts";

export interface CellTermsInput {
  /** Numbers of all its cells, those that it has already among them. */
  readonly cells?: readonly number[];
}

/** A node serves home and seven more. */
const cellsMax = 8;
const numberMax = 255;

export function rejectCells({ cells }: CellTermsInput): AdminResult<never> | undefined {
  if (cells === undefined) return undefined;
  const isCell = (one: number) => Number.isInteger(one) && one >= homeCell && one <= numberMax;
  const isList = cells.length >= 1 && cells.length <= cellsMax && new Set(cells).size === cells.length;
  if (isList && cells.every(isCell)) return undefined;
  const message = `A partner has 1 to ${cellsMax} cells, each once: 0 for home, or a number from 1 to ${numberMax}.`;
  return rejected("invalidField", message, "cells");
}

/** Cells that home does not list. `home`: connections to home. */
export async function rejectUnlisted(
  home: StatementPool,
  { cells = [] }: CellTermsInput,
): Promise<AdminResult<never> | undefined> {
  if (cells.every((cell) => cell === homeCell)) return undefined;
  const listed = new Set([homeCell, ...(await readCellRows(home)).map(({ number }) => number)]);
  const unlisted = cells.find((cell) => !listed.has(cell));
  if (unlisted === undefined) return undefined;
  return rejected("invalidField", `Home does not list cell ${unlisted} yet: titian cells add ${unlisted}`, "cells");
}

/** A cell that a partner has had stays its: numbers of its payments may stand there. `settings`: those of now. */
export function rejectTaken(settings: PartnerSettings, { cells }: CellTermsInput): AdminResult<never> | undefined {
  const lost = cells && cellsOfPartner(settings).find(({ cell }) => !cells.includes(cell));
  if (!lost) return undefined;
  return rejected("invalidField", `Cells of a partner stay: name cell ${lost.cell}, too.`, "cells");
}

/** The settings with the given cells; home alone is not kept. Times of those that are added are the database's. */
export function applyCells(settings: PartnerSettings, { cells }: CellTermsInput): PartnerSettings {
  if (cells === undefined) return settings;
  const before = cellsOfPartner(settings);
  const added = cells.filter((cell) => before.every((one) => one.cell !== cell));
  return added.length === 0 ? settings : { ...settings, cells: [...before, ...added.map((cell) => ({ cell }))] };
}

/** The settings of a new partner with its cells. */
export function withCells(settings: PartnerSettings, { cells = [homeCell] }: CellTermsInput): PartnerSettings {
  const isHomeAlone = cells.length === 1 && cells[0] === homeCell;
  return isHomeAlone ? settings : { ...settings, cells: cells.map((cell) => ({ cell })) };
}
