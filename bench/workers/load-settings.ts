/** Settings that the load generator needs once. */
import type { BenchPartner } from "../load/partner.ts";

export interface LedgerSettings {
  readonly url: string;
  /** Internal id of the partner who may debit all accounts. */
  readonly partner: string;
  readonly accountNumbers: readonly string[];
}

export interface LoadSettings {
  readonly caller: BenchPartner;
  /** Ports of the nodes, which callers are shared out to; absent: the caller's. */
  readonly ports?: readonly number[];
  readonly accountNumbers: readonly string[];
  /** Accounts that transfers are paid to; absent: those that pay. */
  readonly payees?: readonly string[];
  /** Address of the ledger; captures look up their holds there. */
  readonly url: string;
}

export const loadScript = new URL("./load-worker.ts", import.meta.url);
