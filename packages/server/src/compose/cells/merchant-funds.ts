/** Merchants' money in the cells of a node: what each cell's handlers and jobs reach of it. */
import { homeCell } from "../../basics/ids.ts";
import type { Job } from "../../jobs/job.ts";
import type { MerchantFunds } from "../../operations/holds/merchant-funds.ts";
import { drawFunds, type FundsDeps } from "../../transit/merchant-funds.ts";
import { createMerchantSweeper, type MerchantSweeper } from "../../transit/sweep-merchants.ts";

export interface MerchantsOfCells {
  of(cell: number): MerchantFunds;
  /** Jobs of a further cell. */
  jobsOf(cell: number): readonly Job[];
}

/** Money that a refund drew and did not take is back within this time, and some seconds (ms). */
const sweepEveryMs = 10_000;

export function createMerchantsOfCells(deps: FundsDeps): MerchantsOfCells {
  const sweepers = new Map<number, MerchantSweeper>();
  const sweeperOf = (cell: number) => {
    const known = sweepers.get(cell) ?? createMerchantSweeper(deps, cell);
    sweepers.set(cell, known);
    return known;
  };
  return {
    of: (cell) => ({
      draw: ({ merchant: { key: merchant, settlementAccount }, currency, amount }) =>
        drawFunds(deps, cell, { merchant, currency, settlementAccount }, amount),
      ...(cell !== homeCell && {
        sweep: ({ key: merchant, currency }) => sweeperOf(cell).sweep({ merchant, currency }),
      }),
    }),
    jobsOf: (cell) => [
      {
        name: "sweep-merchants",
        everyMs: sweepEveryMs,
        actsOnTime: false,
        run: () => sweeperOf(cell).sweepAll(),
      },
    ],
  };
}
