/** Whose money moves: both accounts at random, or one account always on one side. */
import { isRail, type RailLoad, spreadOf, type TransferLoad } from "../subject.ts";

export interface Sides {
  readonly from: string;
  readonly to: string;
}

/**
 * A function that gives the two account numbers of the next transfer. The hot account pays and is paid in turn; to another
 * bank it always pays.
 */
export function createPicker(numbers: readonly string[], load: TransferLoad | RailLoad): () => Sides {
  const isHot = spreadOf(load) === "hot";
  const onlyPays = isRail(load);
  let turn = 0;
  const at = (index: number) => numbers[index] ?? "";
  return () => {
    turn += 1;
    const one = isHot ? 0 : Math.floor(Math.random() * numbers.length);
    const step = 1 + Math.floor(Math.random() * (numbers.length - 1));
    const other = (one + step) % numbers.length;
    return onlyPays || turn % 2 === 0 ? { from: at(one), to: at(other) } : { from: at(other), to: at(one) };
  };
}

/** The customer accounts of the benches. */
export function accountNumbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `77${String(index).padStart(8, "0")}`);
}
