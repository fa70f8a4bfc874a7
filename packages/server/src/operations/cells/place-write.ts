/** Cell that a write is decided in: one of its partner's (docs/adr/0095-bound-keys.md). */
import { homeCell } from "../../basics/ids.ts";
import type { Call, Reply } from "../../interfaces/call.ts";
import { cellsOfPartner, type PartnerCell, type Reference } from "../../ledger/reference/reference-data.ts";
import type { Place } from "./place-call.ts";

interface WritePlace {
  readonly cell: number;
  /** Cell of another account that takes part. */
  readonly other: number;
}

/** Cells of the caller, the first it had first. */
export function cellsOfCaller({ partner }: Call, { partners }: Reference): readonly PartnerCell[] {
  return cellsOfPartner(partners.get(partner.key));
}

/** A payer elsewhere is one that the partner may not debit: its first cell, which has no such account, says so. */
export function placeWrite({ cell, other = cell }: CellPlace, cells: readonly PartnerCell[]): WritePlace {
  if (cells.some((one) => one.cell === cell)) return { cell, other };
  const { cell: first } = cells[0] ?? { cell: homeCell };
  return { cell: first, other: first };
}

type CellPlace = Omit<Extract<Place, { kind: "cell" }>, "kind">;

const retrySecondsMax = 60;

/** The reply while a cell that was added takes no calls yet: some node may not bind keys. `now`: epoch ms, real. */
export function rejectEarly(cells: readonly PartnerCell[], number: number, now: number): Reply | undefined {
  const { since = 0 } = cells.find(({ cell }) => cell === number) ?? {};
  if (since <= now) return undefined;
  return { case: "serviceUnavailable", retryAfter: Math.min(retrySecondsMax, Math.ceil((since - now) / 1_000)) };
}
