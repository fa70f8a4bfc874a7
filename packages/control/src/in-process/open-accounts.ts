/** Accounts of all cells, for a program that is a node for a moment and works on home: what home has of them is found by their numbers. */
import { type CellAddress, type Core, type GrantedAccounts, openCellPools } from "@titian/server/admin";
import { listedCells } from "../rows/node-cells.ts";
import { cellOfAccount } from "../rows/place-call.ts";

export interface OpenAccounts extends Required<GrantedAccounts>, AsyncDisposable {}

/** A cell's database is connected to once an account of it is named. `addressOf`: @throws where the program has no address of the cell */
export function openAccounts(core: Core, addressOf: (cell: number) => CellAddress): OpenAccounts {
  const pools = openCellPools();
  return {
    accountsOf: (named) => {
      const cell = cellOfAccount(named, listedCells(core));
      return cell === core.cell ? core.adminPool : pools.of(addressOf(cell));
    },
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}
