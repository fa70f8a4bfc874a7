/** Sweeps merchants' money from a cell to their settlement accounts: at once after a capture, and what is left over by a job. */
import { homeCell } from "../basics/ids.ts";
import { inTime } from "../basics/in-time.ts";
import { type Minor, zero } from "../ledger/money.ts";
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

/** `leaves`: minor units of a merchant that stay, as it is when a sweep is decided. */
export function createMerchantSweeper(
  deps: FundsDeps,
  cell: number,
  leaves: (of: MerchantInCell) => Minor = () => zero,
): MerchantSweeper {
  const rounds = new Map<string, Rounds>();
  const move = (of: MerchantInCell) =>
    moveFunds(deps, { from: cell, to: homeCell, of, amount: undefined, leaves: () => leaves(of) });
  let isHomeSilent = false;
  const round = async (of: MerchantInCell) => {
    isHomeSilent = (await move(of).catch(() => "silent")) === "silent";
  };
  return {
    sweep: async (of) => {
      // Callers of this cell do not wait for another that is away, and one of them asks for all whether it still is.
      if (isHomeSilent && rounds.size > 0) return;
      const swept = nextRound(rounds, of, () => round(of));
      if (!isHomeSilent) await inTime(swept, callerMs);
    },
    sweepAll: async () => {
      const silent = new Set<string>();
      let [swept, after] = [0, ""];
      for (;;) {
        const pool = deps.cell(cell)?.pool;
        const page = pool ? await listMerchantsWithMoney(pool, after, pageMax) : [];
        const last = page.at(-1);
        if (last === undefined) return swept;
        after = last;
        swept += await sweepPage(page, move, silent);
      }
    },
  };
}

/** Answers how many were swept. `silent`: currencies in which nothing can be moved now, to which more are added. */
async function sweepPage(
  page: readonly string[],
  move: (of: MerchantInCell) => Promise<bigint | "silent">,
  silent: Set<string>,
): Promise<number> {
  const merchants = page.flatMap((accountNo) => merchantOfAccount(accountNo) ?? []);
  let swept = 0;
  for (let first = 0; first < merchants.length; first += atOnce) {
    const some = merchants.slice(first, first + atOnce).filter(({ currency }) => !silent.has(currency));
    const moved = await Promise.all(some.map(async (of) => ({ of, amount: await move(of) })));
    for (const { of, amount } of moved) {
      if (amount === "silent") silent.add(of.currency);
      else if (amount > 0n) swept += 1;
    }
  }
  return swept;
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
