/** Accounts of a cell as calls of other cells see them before they are decided. Those that are wanted at once are read by one statement. */
import { createFairQueue } from "../../engine/queue/fair-queue.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import type { Reads } from "../../store/reads/reads.ts";
import type { PartnerShares } from "../partner-shares.ts";

export type FoundAccounts = ReadonlyMap<string, Account>;

export interface AccountLooks {
  /** By account number; unknown ones are left out, and those of others are among them. Undefined: too many calls wait. Fails where the cell does. */
  find(partner: string, accountNos: readonly string[]): Promise<FoundAccounts | undefined>;
}

interface Deps {
  readonly reads: Pick<Reads, "findAccountsByNumber">;
  readonly readShares: Pick<PartnerShares, "run">;
}

interface Waiting {
  readonly partner: string;
  readonly accountNos: readonly string[];
  resolve(found: FoundAccounts | undefined): void;
  reject(error: unknown): void;
}

/** Calls that share a statement at most. */
const callsMax = 256;
const limits = { limit: 2_048, limitOfOne: 1_024 };
/** The statements take their turns among the cell's reads, which confirm them, under this name. */
const owner = "payees";

export function createAccountLooks({ reads, readShares }: Deps): AccountLooks {
  const queue = createFairQueue<Waiting>({
    ...limits,
    ownerOf: ({ partner }) => partner,
    onTurnedAway: (waiting) => waiting.resolve(undefined),
  });
  // One statement at a time: while it is under way, calls gather for the next.
  let isBusy = false;
  const schedule = () => {
    if (isBusy || queue.waiting() === 0) return;
    isBusy = true;
    setImmediate(() => {
      void look(takeCalls()).finally(() => {
        isBusy = false;
        schedule();
      });
    });
  };
  const takeCalls = () => {
    const calls: Waiting[] = [];
    while (calls.length < callsMax) {
      const next = queue.dequeue(() => true);
      if (next === undefined) break;
      calls.push(next);
    }
    return calls;
  };
  const look = async (calls: readonly Waiting[]) => {
    const accountNos = [...new Set(calls.flatMap((call) => call.accountNos))];
    try {
      const found = await readShares.run(owner, () => reads.findAccountsByNumber(accountNos));
      for (const call of calls) call.resolve(found);
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  };
  return {
    find: (partner, accountNos) =>
      new Promise((resolve, reject) => {
        if (queue.offer({ partner, accountNos, resolve, reject })) schedule();
        else resolve(undefined);
      }),
  };
}
