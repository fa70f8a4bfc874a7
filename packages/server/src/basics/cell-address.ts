/** Addresses of cells. */
import { homeCell } from "./ids.ts";
import type { NumberRange } from "./number-ranges.ts";

/** A cell beside home, as a line of the file of cells says it. */
export interface CellAddress {
  /** 1 to 255. */
  readonly number: number;
  readonly url: string;
  /** Address to which administration connects, in a sandbox with `TITIAN_ADMIN_CELLS`; absent: `url`. */
  readonly administrationUrl?: string;
  readonly ranges: readonly NumberRange[];
  /** File and line that say it, for messages. */
  readonly place: string;
}

/** Home's database, or a further cell's. */
export type CellDatabase = Pick<CellAddress, "number" | "url">;

/** Home first, then the further cells. */
export function allCells(homeUrl: string, cells: readonly CellDatabase[]): readonly CellDatabase[] {
  return [{ number: homeCell, url: homeUrl }, ...cells];
}
