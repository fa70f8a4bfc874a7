/** Accounts whose money moves: both at random, or one account always on one side. */
import { isRail, type Load } from "../subject.ts";

export interface Sides {
  readonly from: string;
  readonly to: string;
}

/**
 * A function that gives the two account numbers of the next transfer. The hot account pays and is paid in turn. `payees`: the
 * accounts that are paid, each at random; absent: those that pay.
 */
export function createPicker(numbers: readonly string[], load: Load, payees?: readonly string[]): () => Sides {
  if (payees) return () => ({ from: anyOf(numbers), to: anyOf(payees) });
  const onlyPays = isRail(load);
  let turn = 0;
  const at = (index: number) => numbers[index % numbers.length] ?? "";
  return () => {
    turn += 1;
    const first = load === "hot" ? 0 : Math.floor(Math.random() * numbers.length);
    const [one, other] = [at(first), at(first + 1 + Math.floor(Math.random() * (numbers.length - 1)))];
    return onlyPays || turn % 2 === 0 ? { from: one, to: other } : { from: other, to: one };
  };
}

/** The same for a warm-up: all accounts in turn, two by two, or each with the hot one. */
export function createTurns(numbers: readonly string[], load: Load, payees?: readonly string[]): () => Sides {
  const count = numbers.length;
  let turn = -1;
  return () => {
    turn += 1;
    if (payees) return { from: numbers[turn % count] ?? "", to: payees[turn % payees.length] ?? "" };
    const [one, other] = load === "hot" ? [0, 1 + (turn % (count - 1))] : [(2 * turn) % count, (2 * turn + 1) % count];
    return { from: numbers[one] ?? "", to: numbers[other] ?? "" };
  };
}

function anyOf(numbers: readonly string[]): string {
  return numbers[Math.floor(Math.random() * numbers.length)] ?? "";
}

/** The customer accounts of the benches, of ten digits. */
export function accountNumbers(count: number, start = "77"): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${start}${String(index).padStart(8, "0")}`);
}
