/** One rail of several cells: each sees the results of its own numbers, and acknowledges no others. */
import type { Rail, RailResult } from "./rail.ts";

export interface CellOnRail {
  /** True for the number of a transfer of this cell. */
  isOurs(referenceNo: string): boolean;
  /** Home counts what waits at the rail for all. */
  readonly isHome: boolean;
}

/** So many results of other cells that nobody acknowledges are more than a node looks behind. */
const lookedAtMax = 65_536;

/** The rail itself is closed by the program that connected it. */
export function railOfCell(rail: Rail, { isOurs, isHome }: CellOnRail): Rail {
  const results = async (max: number): Promise<readonly RailResult[]> => {
    for (let looked = max; ; looked *= 2) {
      const found = await rail.results(looked);
      const ours = found.filter(({ referenceNo }) => isOurs(referenceNo));
      // Results of a cell that is away stand before ours until it is back.
      if (ours.length >= max || found.length < looked || looked >= lookedAtMax) return ours.slice(0, max);
    }
  };
  return {
    name: rail.name,
    submit: (instruction, signal, commit) => rail.submit(instruction, signal, commit),
    ...(rail.awaitState && { awaitState: rail.awaitState.bind(rail) }),
    inquire: (referenceNo, signal) => rail.inquire(referenceNo, signal),
    ...(rail.hasUnderOtherNumber && { hasUnderOtherNumber: rail.hasUnderOtherNumber.bind(rail) }),
    inquireBeneficiary: (bankCode, accountNo, signal) => rail.inquireBeneficiary(bankCode, accountNo, signal),
    ...(rail.onResults && { onResults: rail.onResults.bind(rail) }),
    results,
    acknowledge: (recorded) => rail.acknowledge(recorded),
    waiting: async () => (isHome ? rail.waiting() : 0),
    close: async () => undefined,
  };
}
