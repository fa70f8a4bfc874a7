/** `sandbox.json`: where a running sandbox is and with which keys it is called. Its shape is an interface: keep it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fits, object, optional, type Static, string } from "@titian/contract";
import { request } from "undici";
import type { RailName } from "@titian/server/rails";
import type { SandboxKeys } from "./keys.ts";
import { createPrivateFile, readFileIfThere, replacePrivateFile } from "./private-file.ts";
import { seededAccounts, seededPartners } from "./seed-data.ts";

/** Outcome that the simulated rails give a beneficiary's account. */
export interface SandboxScenario {
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly outcome: string;
  /** HTTP status and case of the response of 18. */
  readonly responseCase: string;
}

export interface SandboxPlace {
  readonly scenarios: readonly SandboxScenario[];
  readonly baseUrl: string;
  readonly pathPrefix: string;
  /** The version to call, such as `v1.0`. */
  readonly version: string;
  readonly bankCode: string;
  /** Our `X-CLIENT-KEY` to partners. */
  readonly providerClientKey: string;
  /** Address to which a second node connects. */
  readonly databaseUrl: string;
  /** Address for administration: `TITIAN_ADMIN_DATABASE_URL` of a second node, which reads it here, and of commands. */
  readonly administrationUrl: string;
  /** The client key a seeded partner has: one that an earlier release seeded keeps its own. */
  readonly clientKeyOf: (partnerId: string) => string | undefined;
  /** Fees of the rails that it works by, as decimal texts: callers reckon with them. */
  readonly fees: Readonly<Record<RailName, string>>;
}

const fileName = "sandbox.json";
const askTimeoutMs = 1_000;

export interface SandboxFile {
  /**
   * Address that the file's node gave administration of the given database; undefined where it had another, or none.
   */
  administrationUrlOf(databaseUrl: string | undefined): string | undefined;
  /** Writes the whole file in one step, unless it is another running node's. */
  publish(place: SandboxPlace, keys: SandboxKeys): void;
  /** Puts back what was there, for a start that failed before it published. */
  restore(): void;
}

/**
 * Looks whose file it is. One that an earlier run left is taken away: whoever waits for it must not read where the
 * sandbox was. It is kept for `restore`, because its node may only have been too busy to answer.
 */
export async function openSandboxFile(dataDir: string): Promise<SandboxFile> {
  const path = join(dataDir, fileName);
  const before = readFileIfThere(path);
  const { baseUrl, databaseUrl: fileUrl, administrationUrl } = readPlace(before);
  const administrationUrlOf = (databaseUrl: string | undefined) =>
    databaseUrl !== undefined && databaseUrl === fileUrl ? administrationUrl : undefined;
  if (baseUrl !== undefined && (await answers(baseUrl))) return { administrationUrlOf, publish() {}, restore() {} };
  rmSync(path, { force: true });
  let mayRestore = before !== undefined;
  return {
    administrationUrlOf,
    publish: (place, keys) => {
      mayRestore = false;
      replacePrivateFile(path, `${JSON.stringify(describeSandbox(place, keys), undefined, 2)}\n`);
    },
    restore: () => {
      if (mayRestore && before !== undefined) createPrivateFile(path, before);
      mayRestore = false;
    },
  };
}

function describeSandbox(place: SandboxPlace, keys: SandboxKeys) {
  const { baseUrl, pathPrefix, version, bankCode, databaseUrl, administrationUrl, fees } = place;
  return {
    baseUrl,
    pathPrefix,
    version,
    controlToken: keys.controlToken,
    bankCode,
    databaseUrl,
    administrationUrl,
    provider: { publicKey: keys.provider.publicKey, clientKey: place.providerClientKey },
    partners: seededPartners.map(({ partnerId, clientKey, channelId, signing, sourceAccounts, merchants }) => ({
      partnerId,
      clientKey: place.clientKeyOf(partnerId) ?? clientKey,
      ...keys.partners[partnerId],
      channelId,
      signing,
      sourceAccounts: sourceAccounts.map((account) => account.accountNo),
      merchants: merchants.map((merchant) => merchant.merchantId),
    })),
    accounts: seededAccounts.map(({ accountNo, name, status, type }) => ({
      accountNo,
      name,
      currency: "IDR",
      status,
      type,
    })),
    merchants: seededPartners.flatMap((partner) =>
      partner.merchants.map(({ merchantId, settlementAccountNo, payerAccountNo, defaultHoldAmount }) => ({
        merchantId,
        settlementAccountNo,
        payerAccountNo,
        defaultHoldAmount,
      })),
    ),
    fees,
    scenarios: place.scenarios,
  };
}

const Place = object({
  baseUrl: optional(string()),
  databaseUrl: optional(string()),
  administrationUrl: optional(string()),
});

/** Reads the place of a file's node; nothing of a file that cannot be read. */
function readPlace(text: string | undefined): Static<typeof Place> {
  try {
    const file: unknown = JSON.parse(text ?? "{}");
    return fits(Place, file) ? file : {};
  } catch {
    return {};
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const timeouts = { headersTimeout: askTimeoutMs, bodyTimeout: askTimeoutMs };
    const { statusCode, body } = await request(`${baseUrl}/health/live`, {
      ...timeouts,
      signal: AbortSignal.timeout(askTimeoutMs),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
