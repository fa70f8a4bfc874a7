/** A line of the file of cells, as the settings read it. */
import type { NumberRange } from "../../basics/number-ranges.ts";

export interface CellLine {
  /** 1 to 255. */
  readonly number: number;
  readonly url: string;
  readonly ranges: readonly NumberRange[];
  /** File and line, for messages. */
  readonly place: string;
}
