/** The database of a cell cannot be used, or the cell is not served now: that of the payer, of the payee, or one that a lost account may have left. */
export class CellAway extends Error {
  override readonly name = "CellAway";
  readonly cell: number;
  constructor(cell: number, cause: unknown) {
    super(`cell ${cell} cannot be used`, { cause });
    this.cell = cell;
  }
}

/** The cell's answer. @throws CellAway of it, unless the work has found another one away */
export async function asked<Result>(cell: number, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CellAway ? error : new CellAway(cell, error);
  }
}
