/** Sweeps merchants' money from a cell to their settlement accounts: at once after a capture, and what is left over by a job. */
import { homeCell } from "../basics/ids.ts";
import { merchantOfAccount, type MerchantInCell } from "../ledger/transit/merchant-account.ts";
import { listMerchantsWithMoney } from "../store/reads/transit.ts";
import { type FundsDeps, moveFunds } from "./merchant-funds.ts";

/** Longest wait of a caller for it (ms). */
const callerMs = 500;

export interface MerchantSweeper {
  /** Never rejects. Those who ask while one is under way share the next. */
  sweep(of: MerchantInCell): Promise<void>;
  /** All merchants with money in the cell; answers how many. */
  sweepAll(): Promise<number>;
}

/** Merchants of one reading, and of them at once. */
const pageMax = 256;
const atOnce = 8;

export function createMerchantSweeper(deps: FundsDeps, cell: number): MerchantSweeper {
  const rounds = new Map<string, Rounds>();
  const move = (of: MerchantInCell) => moveFunds(deps, { from: cell, to: homeCell, of, amount: undefined });
  let isHomeSilent = false;
  const round = async (of: MerchantInCell) => {
    isHomeSilent = (await move(of).catch(() => "silent")) === "silent";
  };
  return {
    sweep: async (of) => {
      const swept = nextRound(rounds, of, () => round(of));
      // Callers of this cell do not wait for another that is away.
      if (!isHomeSilent) await withinMs(callerMs, swept);
    },
    sweepAll: async () => {
      const pool = deps.cell(cell)?.pool;
      if (!pool) return 0;
      const found = (await listMerchantsWithMoney(pool, pageMax)).flatMap((no) => merchantOfAccount(no) ?? []);
      let swept = 0;
      for (let first = 0; first < found.length; first += atOnce) {
        const moved = await Promise.all(found.slice(first, first + atOnce).map(move));
        swept += moved.filter((amount) => amount !== "silent" && amount > 0n).length;
        if (moved.includes("silent")) break;
      }
      return swept;
    },
  };
}

interface Rounds {
  running: Promise<void>;
  next: Promise<void> | undefined;
}

/** A round that begins after this call, shared with all who call meanwhile. */
function nextRound(rounds: Map<string, Rounds>, of: MerchantInCell, run: () => Promise<void>): Promise<void> {
  const key = `${of.merchant} ${of.currency}`;
  const start = (): Promise<void> => {
    const running = run();
    const round: Rounds = { running, next: undefined };
    rounds.set(key, round);
    void running.then(() => {
      if (round.next === undefined) rounds.delete(key);
    });
    return running;
  };
  const known = rounds.get(key);
  return known ? (known.next ??= known.running.then(start)) : start();
}

async function withinMs(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
