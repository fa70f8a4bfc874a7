/** `sandbox.json` as it is documented: all that an integrator's test suite has to go by. Written out here on purpose. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface SandboxPartner {
  readonly partnerId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
  readonly sourceAccounts: readonly string[];
  readonly merchants: readonly string[];
}

export interface SandboxAccount {
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
  readonly status: "active" | "dormant" | "blocked" | "closed";
  readonly type: "D" | "S";
}

export interface SandboxMerchant {
  readonly merchantId: string;
  readonly settlementAccountNo: string;
  readonly payerAccountNo: string;
  readonly defaultHoldAmount?: string;
}

export interface SandboxScenario {
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly outcome: string;
  readonly responseCase: string;
}

export interface SandboxFile {
  readonly baseUrl: string;
  readonly pathPrefix: string;
  readonly version: string;
  readonly controlToken: string;
  readonly bankCode: string;
  readonly databaseUrl: string;
  readonly administrationUrl: string;
  readonly provider: { readonly publicKey: string };
  readonly partners: readonly SandboxPartner[];
  readonly accounts: readonly SandboxAccount[];
  readonly merchants: readonly SandboxMerchant[];
  readonly fees: Readonly<Record<string, string>>;
  readonly scenarios: readonly SandboxScenario[];
}

/** The file of a running sandbox. */
export function readSandboxFile(dataDir: string): SandboxFile {
  const file: SandboxFile = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));
  return file;
}

/** The file's access rights, as in `0o600`. */
export function sandboxFileMode(dataDir: string): number {
  return statSync(join(dataDir, "sandbox.json")).mode & 0o777;
}
