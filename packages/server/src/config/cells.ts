/** Cells beside home (`TITIAN_CELLS`). */

export interface NumberRange {
  readonly from: string;
  readonly to: string;
}

export interface CellAddress {
  readonly number: number;
  readonly url: string;
  readonly ranges: readonly NumberRange[];
  /** Line of the file that says it. */
  readonly line: number;
}
