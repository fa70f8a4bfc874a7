/** Merchants' money in the cells of a node: what each cell's handlers and jobs reach of it. */
import { homeCell } from "../../basics/ids.ts";
import type { Job } from "../../jobs/job.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import type { MerchantInCell } from "../../ledger/transit/merchant-account.ts";
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
  const reserved = createReserved();
  const sweeperOf = (cell: number) => {
    const known = sweepers.get(cell) ?? createMerchantSweeper(deps, cell, (of) => reserved.of(cell, of));
    sweepers.set(cell, known);
    return known;
  };
  return {
    of: (cell) => ({
      draw: ({ merchant: { key: merchant, settlementAccount, partner }, currency, amount, needed }) =>
        drawFunds(deps, cell, { merchant, currency, settlementAccount, partner }, { amount, needed }),
      reserve: ({ merchant: { key: merchant }, currency, needed }) =>
        reserved.add(cell, { merchant, currency }, needed),
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

/** Amounts that refunds under way on this node are about to take. */
function createReserved() {
  const amounts = new Map<string, bigint>();
  const keyOf = (cell: number, { merchant, currency }: MerchantInCell) => `${cell} ${merchant} ${currency}`;
  const change = (key: string, by: bigint) => {
    const amount = (amounts.get(key) ?? 0n) + by;
    if (amount === 0n) amounts.delete(key);
    else amounts.set(key, amount);
  };
  return {
    of: (cell: number, merchant: MerchantInCell) => minor(amounts.get(keyOf(cell, merchant)) ?? 0n),
    add: (cell: number, merchant: MerchantInCell, amount: Minor): Disposable => {
      const key = keyOf(cell, merchant);
      change(key, amount);
      return { [Symbol.dispose]: () => change(key, -amount) };
    },
  };
}
