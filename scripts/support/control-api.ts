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

export interface MovedClock {
  readonly now: string;
  /** What is due by now and not done yet. */
  readonly pending: number;
}

export interface ControlApi {
  openAccount(account: { name: string; balance: string; partnerId?: string }): Promise<ControlAccount>;
  account(accountNo: string): Promise<ControlAccount>;
  /** Newest first. */
  entries(accountNo: string): Promise<{ readonly entries: readonly ControlEntry[] }>;
  hold(referenceNo: string): Promise<ControlHold>;
  /** Ledger balance of an account; of one of ours that nothing was ever on, `0.00`. */
  balance(accountNo: string): Promise<string>;
  /** Brings back a transfer that had settled. */
  returnTransfer(referenceNo: string): Promise<{ readonly state: string }>;
  /** Moves the whole system's time forward. */
  advance(seconds: number): Promise<MovedClock>;
  /** Moves it forward to an ISO 8601 time. */
  setTime(time: string): Promise<MovedClock>;
  audit(): Promise<{ readonly ok: boolean; readonly findings: readonly unknown[] }>;
}

export function createControlApi({ baseUrl, controlToken }: Pick<SandboxFile, "baseUrl" | "controlToken">): ControlApi {
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${baseUrl}/sandbox/${path}`, {
      method,
      headers: { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const call = async <Value>(method: string, path: string, body?: unknown): Promise<Value> => {
    const response = await send(method, path, body);
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
    balance: async (accountNo) => {
      const response = await send("GET", `accounts/${accountNo}`);
      if (response.status === 404) return "0.00";
      return ((await response.json()) as ControlAccount).ledgerBalance;
    },
    returnTransfer: (referenceNo) => call("POST", `transfers/${referenceNo}/return`),
    advance: (advanceSeconds) => call("POST", "clock", { advanceSeconds }),
    setTime: (set) => call("POST", "clock", { set }),
    audit: () => call("GET", "audit"),
  };
}
