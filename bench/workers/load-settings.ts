/** What the load generator needs once. */
import type { BenchPartner } from "../load/partner.ts";
import type { LedgerSettings } from "./command-windows.ts";

export interface LoadSettings {
  readonly caller: BenchPartner;
  readonly ledger: LedgerSettings;
}

export const loadScript = new URL("./load-worker.ts", import.meta.url);
