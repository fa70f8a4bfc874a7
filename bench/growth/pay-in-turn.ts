/**
 * Pairs of payers and payees in a fill: in a round of as many transfers as accounts, each pays once and is paid once.
 */

export interface Side {
  /** Position of the account. */
  readonly position: number;
  /** Entries that the account has of this fill before. */
  readonly earlier: number;
  /** True: it is the account's second of the round. */
  readonly isSecond: boolean;
}

/** `number` counts from 0 through all rounds; there are at least two accounts. */
export function transferAt(number: number, accounts: number): { readonly payer: Side; readonly payee: Side } {
  const round = Math.floor(number / accounts);
  const position = number % accounts;
  // From one to all but one, and another one in each round.
  const step = 1 + (round % (accounts - 1));
  const target = (position + step) % accounts;
  const side = (at: number, isSecond: boolean): Side => ({
    position: at,
    earlier: 2 * round + (isSecond ? 1 : 0),
    isSecond,
  });
  // An account is paid by the one `step` before it: that one's turn was earlier unless it wrapped around.
  return { payer: side(position, position >= step), payee: side(target, target < step) };
}
