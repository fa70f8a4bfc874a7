/** A cell beside home, as a line of the file of cells says it. */
import type { NumberRange } from "./number-ranges.ts";

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
