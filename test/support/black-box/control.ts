/** The control API as it is documented: balances, blocked accounts, moved time, the audit. */
import { type Agent, request } from "undici";
import type { Json } from "./caller.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export interface AccountState {
  readonly accountNo: string;
  readonly accountId: string;
  readonly name: string;
  readonly currency: string;
  readonly status: string;
  readonly type: string;
  readonly ledgerBalance: string;
  readonly availableBalance: string;
}

export interface Audit {
  readonly ok: boolean;
  readonly findings: readonly unknown[];
}

type ControlMethod = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface Control {
  /** Any call; @throws when it is not answered 2xx. */
  call<Shape = Json>(method: ControlMethod, path: string, body?: Json): Promise<Shape>;
  account(accountNo: string): Promise<AccountState>;
  /** Ledger balances in minor units, in the order asked for. */
  balances(...accountNos: readonly string[]): Promise<readonly bigint[]>;
  /** A new account; its `accountNo` is made up when none is given. */
  open(account: Json): Promise<AccountState>;
  change(accountNo: string, change: Json): Promise<AccountState>;
  advance(seconds: number): Promise<void>;
  audit(): Promise<Audit>;
}

export function createControl(file: SandboxFile, agent: Agent): Control {
  async function call<Shape = Json>(method: ControlMethod, path: string, body?: Json): Promise<Shape> {
    const response = await request(`${file.baseUrl}/sandbox/${path}`, {
      dispatcher: agent,
      method,
      headers: {
        Authorization: `Bearer ${file.controlToken}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // The audit looks at everything there is.
      headersTimeout: 120_000,
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} /sandbox/${path}: ${response.statusCode} ${text}`);
    const shape: Shape = JSON.parse(text);
    return shape;
  }

  const account = (accountNo: string) => call<AccountState>("GET", `accounts/${accountNo}`);
  return {
    call,
    account,
    balances: (...accountNos) =>
      Promise.all(accountNos.map(async (accountNo) => toMinor((await account(accountNo)).ledgerBalance))),
    open: (fields) => call<AccountState>("POST", "accounts", fields),
    change: (accountNo, fields) => call<AccountState>("PATCH", `accounts/${accountNo}`, fields),
    advance: async (seconds) => void (await call("POST", "clock", { advanceSeconds: seconds })),
    audit: () => call<Audit>("GET", "audit"),
  };
}

/** Minor units of a decimal text with two decimals. */
export function toMinor(text: string): bigint {
  const digits = /^(-?\d+)\.(\d\d)$/.exec(text);
  if (!digits) throw new Error(`${text} has not two decimals`);
  return BigInt(`${digits[1]}${digits[2]}`);
}
