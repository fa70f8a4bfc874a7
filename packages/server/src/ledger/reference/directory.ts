/** Directory of cells: the one that each account number belongs to (ADR 0093). */

/** Account numbers of the same length, from one to the other as texts, both included. */
export interface CellRange {
  readonly cell: number;
  readonly from: string;
  readonly to: string;
}

export interface Directory {
  /** Home, 0, where no range has the number. */
  cellOf(accountNo: string): number;
  /** Ascending; home is one of them. */
  readonly cells: readonly number[];
  /** When the first cell was added (epoch ms): ids made before are home's. Undefined: none was. */
  readonly since: number | undefined;
}

const home = 0;

export const homeAlone: Directory = { cellOf: () => home, cells: [home], since: undefined };

/** `since`: epoch ms. Ranges do not overlap. */
export function createDirectory(ranges: readonly CellRange[], since: number | undefined): Directory {
  if (ranges.length === 0) return homeAlone;
  const byLength = Map.groupBy(ranges, ({ from }) => from.length);
  return {
    cellOf: (accountNo) =>
      byLength.get(accountNo.length)?.find(({ from, to }) => from <= accountNo && accountNo <= to)?.cell ?? home,
    cells: [...new Set([home, ...ranges.map(({ cell }) => cell)])].toSorted((one, other) => one - other),
    since,
  };
}
