/** Accounts of a cell as calls of other cells see them before they are decided. Calls share statements (gather-calls.ts). */
import type { Account } from "../../ledger/accounts/account.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { gatherCalls } from "../gather-calls.ts";
import type { PartnerShares } from "../partner-shares.ts";

export type FoundAccounts = ReadonlyMap<string, Account>;

export interface AccountLooks {
  /**
   * Accounts by their numbers, whatever partner they are of; numbers of which the cell has none are left out. Accounts that other calls want may be
   * among them. Undefined: the cell does not answer within a second, or too many calls wait.
   */
  find(partner: string, accountNos: readonly string[]): Promise<FoundAccounts | undefined>;
}

interface Deps {
  readonly reads: Pick<Reads, "findAccountsByNumber">;
  readonly readShares: Pick<PartnerShares, "run">;
}

/** Statements take their turns among the cell's reads, which confirm them, under this name. */
const owner = "payees";
/** One statement at a time. A call wants two accounts at most, and so many are one slice. */
const limits = { running: 1, itemsMax: 512, answerMs: 1_000, waiting: 2_048, waitingOfOnePartner: 1_024 };

export function createAccountLooks({ reads, readShares }: Deps): AccountLooks {
  const look = (accountNos: readonly string[]) =>
    readShares.run(owner, () => reads.findAccountsByNumber([...new Set(accountNos)]));
  const ask = gatherCalls({ ...limits, name: "the payee's cell", carryOut: look });
  return {
    find: async (partner, accountNos) => (await ask(partner, accountNos).catch(() => undefined))?.[0],
  };
}
