/** Whose money moves: both accounts at random, evenly or by Zipf's law, or one account always on one side. */
import { isRail, type RailLoad, spreadOf, type TransferLoad } from "../subject.ts";
import { createZipf } from "./zipf.ts";

export interface Sides {
  readonly from: string;
  readonly to: string;
}

/**
 * A function that gives the two account numbers of the next transfer. The hot account pays and is paid in turn; to another
 * bank it always pays.
 */
export function createPicker(numbers: readonly string[], load: TransferLoad | RailLoad): () => Sides {
  const draw = createDraw(numbers.length, spreadOf(load));
  const onlyPays = isRail(load);
  let turn = 0;
  const at = (index: number) => numbers[index] ?? "";
  return () => {
    turn += 1;
    const [one, other] = draw();
    return onlyPays || turn % 2 === 0 ? { from: at(one), to: at(other) } : { from: at(other), to: at(one) };
  };
}

/** Draws the positions of two different accounts. */
function createDraw(count: number, spread: TransferLoad): () => readonly [number, number] {
  if (spread === "zipf") {
    const draw = createZipf(count);
    return () => {
      const [one, other] = [draw(), draw()];
      return [one, one === other ? (one + 1) % count : other];
    };
  }
  return () => {
    const one = spread === "hot" ? 0 : Math.floor(Math.random() * count);
    return [one, (one + 1 + Math.floor(Math.random() * (count - 1))) % count];
  };
}

/** The customer accounts of the benches. */
export function accountNumbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `77${String(index).padStart(8, "0")}`);
}
