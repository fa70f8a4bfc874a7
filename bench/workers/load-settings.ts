/** What the load generator needs once. */
import type { BenchPartner } from "../load/partner.ts";
import type { LedgerSettings } from "./command-windows.ts";

export interface LoadSettings {
  readonly caller: BenchPartner;
  /** Of the nodes, which callers are shared out to; absent: the caller's. */
  readonly ports?: readonly number[];
  readonly ledger: LedgerSettings;
}

export const loadScript = new URL("./load-worker.ts", import.meta.url);
