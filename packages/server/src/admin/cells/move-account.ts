/** Moves accounts to other cells by acts of home; nodes of the service carry them out (docs/adr/0098-account-moves.md). */
import type { Reference } from "../../ledger/reference/reference-data.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { findMovedAccounts, listMovedAccounts } from "../../store/tables/cells/moved-accounts.ts";
import type { GrantedAccounts } from "../grants/customer-grants.ts";
import { type ActWords, proposeChange } from "../reference/reference-act.ts";
import { type AdminResult, done, rejected, rejectedByLedger } from "../result.ts";

export interface MoveAccountDeps extends GrantedAccounts {
  /** An operator's connections to home. */
  readonly database: StatementPool;
  /** Connections to home. */
  readonly reads: StatementPool;
  /** Home's, as it is now. */
  readonly reference: () => Reference;
  /** Makes the change known to this process before the caller is answered. */
  readonly refresh?: () => Promise<void>;
}

export interface MoveOrder extends ActWords {
  readonly accountNo: string;
  /** Number of the cell that it shall be in. */
  readonly cell: number;
}

/** An account of which home says the cell. */
export interface AccountPlace {
  readonly accountNo: string;
  /** The cell that decides on it. */
  readonly cell: number;
  /** The cell that it is moving to: no call is taken for it meanwhile. */
  readonly movingTo?: number;
  /** The reason why it did not move when it was last asked to. */
  readonly refusal?: string;
}

/** From then on calls for it are answered 503xx00, until it is there, some seconds later. In that cell already, or moving there, it stays so. */
export async function moveAccount(
  deps: MoveAccountDeps,
  { accountNo, cell: to, ...words }: MoveOrder,
): Promise<AdminResult<AccountPlace>> {
  const { cells } = deps.reference().directory;
  if (!cells.includes(to))
    return rejected("invalidField", `There is no cell ${to}: there are ${cells.join(", ")}.`, "cell");
  const place = await findPlace(deps, accountNo);
  const { cell: from, movingTo } = place;
  if (movingTo === to) return done(place);
  if (movingTo === undefined && from === to)
    return (await isHolders(deps, accountNo)) ? done(place) : rejectedByLedger("unknownAccount", "accountNo");
  const act = { kind: "accountMove", target: accountNo, before: undefined, after: { from, to }, ...words } as const;
  return proposeChange(deps, act, () => findPlace(deps, accountNo));
}

/** One that home says was moved is there: its cell, which may have lost it, need not answer. */
async function isHolders(
  { reads, reference, accountsOf = () => reads }: MoveAccountDeps,
  accountNo: string,
): Promise<boolean> {
  if (reference().directory.moved.has(accountNo)) return true;
  return (await findAccountByNumber(accountsOf(accountNo), accountNo))?.purpose === "customer";
}

/** By its number alone: whether there is such an account its cell says. */
export async function findPlace(
  { reads, reference }: Pick<MoveAccountDeps, "reads" | "reference">,
  accountNo: string,
): Promise<AccountPlace> {
  const [row] = await findMovedAccounts(reads, [accountNo]);
  return row ?? { accountNo, cell: reference().directory.cellOf(accountNo) };
}

export interface PlacePage {
  readonly accounts: readonly AccountPlace[];
  /** Number that the next page begins after. */
  readonly next: string | undefined;
}

/** Those that were moved, or did not move, in the order of their numbers. */
export async function listPlaces(
  { reads }: Pick<MoveAccountDeps, "reads">,
  { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<PlacePage> {
  const rows = await listMovedAccounts(reads, after, limit + 1);
  const accounts = rows.slice(0, limit);
  return { accounts, next: rows.length > limit ? accounts.at(-1)?.accountNo : undefined };
}
