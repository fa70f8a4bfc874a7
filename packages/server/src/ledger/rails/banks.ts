/** Banks by the codes that partners send (spec D6, D16). */
import type { Bank, RailData } from "./terms.ts";

/**
 * The bank of a code: three digits, a BIC of 8, or a BIC of 11, whose branch does not count. Our own bank is also found by
 * its other codes in the list. Undefined: an unknown code.
 */
export function findBank(
  { banks, ownBankCode }: Pick<RailData, "banks" | "ownBankCode">,
  code: string,
): Bank | "own" | undefined {
  const institution = withoutBranch(code);
  const own = withoutBranch(ownBankCode);
  const bank = banks.get(institution);
  if (institution === own || bank?.code === own || bank?.bic === own) return "own";
  return bank;
}

/**
 * True for two codes that name one bank (spec D7). Codes that differ by a branch at most do so by themselves: of a bank
 * that has left the list since, too.
 */
export function isSameBank(data: Pick<RailData, "banks" | "ownBankCode">, one: string, other: string): boolean {
  if (withoutBranch(one) === withoutBranch(other)) return true;
  const bank = findBank(data, one);
  return bank !== undefined && bank === findBank(data, other);
}

function withoutBranch(code: string): string {
  return code.length === 11 ? code.slice(0, 8) : code;
}
