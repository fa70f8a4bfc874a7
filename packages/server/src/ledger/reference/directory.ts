/** Directory of cells: which one an account number belongs to. */

export interface Directory {
  cellOf(accountNo: string): number;
  /** Ascending; 0, home, is one of them. */
  readonly cells: readonly number[];
  /** When the first cell was added (epoch ms): ids made before are home's. Undefined: none was. */
  readonly since: number | undefined;
}

export const homeAlone: Directory = { cellOf: () => 0, cells: [0], since: undefined };
