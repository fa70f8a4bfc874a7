/** Directory of cells: the one that each account is in (ADR 0093), by its number, or since it was moved there (ADR 0098). */

/** Account numbers of the same length, from one to the other as texts, both included. */
export interface CellRange {
  readonly cell: number;
  readonly from: string;
  readonly to: string;
}

/** An account of which home says the cell itself. */
export interface MovedAccount {
  readonly accountNo: string;
  /** The cell that decides on it. */
  readonly cell: number;
  /** The cell that it is moving to; absent: it stays. */
  readonly movingTo?: number;
  /** False: it has never left the cell of its number. */
  readonly hasMoved: boolean;
  /** Number of its last move: later ones have higher numbers. */
  readonly number: number;
}

export interface Directory {
  /** Home, 0, where no range has the number, and it was not moved. */
  cellOf(accountNo: string): number;
  /** Cells of accounts that were moved, by their numbers. */
  readonly moved: ReadonlyMap<string, number>;
  /** Accounts for which no call is taken now, by their numbers. */
  readonly moving: ReadonlyMap<string, MovedAccount>;
  /** Ascending; home is one of them. */
  readonly cells: readonly number[];
  /** When the first cell was added (epoch ms): ids made before are home's. Undefined: none was. */
  readonly since: number | undefined;
}

const home = 0;

export const homeAlone: Directory = {
  cellOf: () => home,
  moved: new Map(),
  moving: new Map(),
  cells: [home],
  since: undefined,
};

/** Accounts of which home says the cell. */
export interface Moves {
  readonly cells: ReadonlyMap<string, number>;
  readonly moving: ReadonlyMap<string, MovedAccount>;
}

/** `since`: epoch ms. Ranges do not overlap. */
export function createDirectory(
  ranges: readonly CellRange[],
  since: number | undefined,
  { cells: moved, moving }: Moves = { cells: new Map(), moving: new Map() },
): Directory {
  if (ranges.length === 0) return homeAlone;
  const byLength = Map.groupBy(ranges, ({ from }) => from.length);
  return {
    cellOf: (accountNo) =>
      moved.get(accountNo) ??
      byLength.get(accountNo.length)?.find(({ from, to }) => from <= accountNo && accountNo <= to)?.cell ??
      home,
    moved,
    moving,
    cells: [...new Set([home, ...ranges.map(({ cell }) => cell)])].toSorted((one, other) => one - other),
    since,
  };
}
