/** The control API of a sandbox, as far as the demo needs it. */
import type { SandboxFile } from "../../packages/server/src/cli/sandbox-file.ts";

export interface ControlAccount {
  readonly accountNo: string;
  readonly name: string;
  readonly ledgerBalance: string;
  readonly availableBalance: string;
}

export interface ControlEntry {
  readonly referenceNo: string;
  readonly kind: string;
  readonly direction: "debit" | "credit";
  readonly amount: string;
  readonly balanceAfter: string;
}

/** Decimal texts; captured + voided + expired + remaining = held. */
export interface ControlHold {
  readonly held: string;
  readonly captured: string;
  readonly voided: string;
  readonly expired: string;
  readonly remaining: string;
  readonly refunded: string;
  readonly state: string;
  readonly expiresAt: string;
}

export interface ControlApi {
  openAccount(account: { name: string; balance: string; partnerId?: string }): Promise<ControlAccount>;
  account(accountNo: string): Promise<ControlAccount>;
  /** Newest first. */
  entries(accountNo: string): Promise<{ readonly entries: readonly ControlEntry[] }>;
  hold(referenceNo: string): Promise<ControlHold>;
  /** Moves the whole system's time forward. */
  advance(seconds: number): Promise<{ readonly now: string; readonly pending: number }>;
  audit(): Promise<{ readonly ok: boolean; readonly findings: readonly unknown[] }>;
}

export function createControlApi({ baseUrl, controlToken }: Pick<SandboxFile, "baseUrl" | "controlToken">): ControlApi {
  const call = async <Value>(method: string, path: string, body?: unknown): Promise<Value> => {
    const response = await fetch(`${baseUrl}/sandbox/${path}`, {
      method,
      headers: { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} /sandbox/${path} was answered ${response.status}: ${await response.text()}`);
    // Our own service's answer, in its documented shape.
    return (await response.json()) as Value;
  };
  return {
    openAccount: (account) => call("POST", "accounts", account),
    account: (accountNo) => call("GET", `accounts/${accountNo}`),
    entries: (accountNo) => call("GET", `accounts/${accountNo}/entries`),
    hold: (referenceNo) => call("GET", `holds/${referenceNo}`),
    advance: (advanceSeconds) => call("POST", "clock", { advanceSeconds }),
    audit: () => call("GET", "audit"),
  };
}
