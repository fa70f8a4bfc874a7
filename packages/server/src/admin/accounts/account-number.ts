/** Account numbers: their form, the cell that they belong to, and those that are made. */
import { createHash } from "node:crypto";
import { homeCell } from "../../basics/ids.ts";
import type { NumberRange } from "../../basics/number-ranges.ts";
import { cellsOfPartner, type PartnerTerms } from "../../ledger/reference/reference-data.ts";
import { rejected } from "../result.ts";

/** Account numbers of the cell in which accounts are opened. */
export interface AccountNumbers {
  readonly cell: number;
  /** Empty: home, which has all that are in no range. */
  readonly ranges: readonly NumberRange[];
  cellOf(accountNo: string): number;
  /** By its internal id. */
  partnerOf(key: string): PartnerTerms | undefined;
}

const shape = /^[0-9A-Za-z][0-9A-Za-z._-]{0,33}$/;

/** The rejection of a number that no account of this cell can have. */
export function rejectNumber(accountNo: string | undefined, numbers: AccountNumbers | undefined) {
  if (accountNo === undefined) return undefined;
  if (!shape.test(accountNo)) {
    const message = "An account number has up to 34 letters, digits, '-', '_' and '.', a letter or digit first.";
    return rejected("invalidField", message, "accountNo");
  }
  const cell = numbers?.cellOf(accountNo) ?? homeCell;
  if (numbers === undefined || cell === numbers.cell) return undefined;
  const place =
    cell === homeCell ? "home, in no range of a cell: leave --cell out" : `cell ${cell}: name it with --cell ${cell}`;
  return rejected("invalidField", `${accountNo} is a number of ${place}.`, "accountNo");
}

/** The rejection of partners that lack the cell: their calls are decided where no such account is. `keys`: internal ids. */
export function rejectPartners(keys: readonly string[] = [], numbers: AccountNumbers | undefined) {
  if (numbers === undefined) return undefined;
  const lacking = keys
    .flatMap((key) => numbers.partnerOf(key) ?? [])
    .find((partner) => cellsOfPartner(partner).every(({ cell }) => cell !== numbers.cell));
  if (!lacking) return undefined;
  const { partnerId } = lacking;
  const all = [...cellsOfPartner(lacking).map(({ cell }) => cell), numbers.cell].join(",");
  const place = numbers.cell === homeCell ? "home" : `cell ${numbers.cell}`;
  const message = `${partnerId} may have no account in ${place} yet: titian partner change ${partnerId} --cells ${all}`;
  return rejected("invalidField", message, "partners");
}

const digits = /^\d+$/;

/** Digits that a repeated call with the same id makes again: twelve in home, in a cell as many as its first range of digits has. */
export function makeAccountNo(id: string, tries: number, numbers: AccountNumbers | undefined): string | undefined {
  const hash = createHash("sha256").update(`account-no ${id} ${tries}`).digest().readBigUInt64BE();
  if (numbers === undefined || numbers.cell === homeCell)
    return `8${(hash % 100_000_000_000n).toString().padStart(11, "0")}`;
  const range = numbers.ranges.find(({ from, to }) => digits.test(from) && digits.test(to));
  if (!range) return undefined;
  const { from, to } = range;
  const count = BigInt(to) - BigInt(from) + 1n;
  return (BigInt(from) + (hash % count)).toString().padStart(from.length, "0");
}
