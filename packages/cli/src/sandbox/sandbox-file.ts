/** `sandbox.json`: address, credentials and seed data of a running sandbox. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { array, choice, fits, object, optional, schemaFaults, type Static, string } from "@titian/contract";
import { loadConfig } from "@titian/server/config";
import { CliError, usageError } from "../cli-error.ts";
import { suggest } from "@titian/explain/nearest";
import "../program-name.ts";

const text = string();

const SandboxPartner = object({
  partnerId: text,
  clientKey: text,
  clientSecret: optional(text),
  privateKey: text,
  channelId: text,
  signing: choice(["symmetric", "asymmetric"]),
  sourceAccounts: array(text),
  merchants: array(text),
});

/** The part of the file that the commands use. */
const SandboxFile = object({
  baseUrl: text,
  pathPrefix: text,
  version: text,
  controlToken: text,
  bankCode: text,
  databaseUrl: text,
  /** Absent in a file of an earlier release. */
  administrationUrl: optional(text),
  /** Signer of notifications; absent in a file of an earlier release. */
  provider: optional(object({ publicKey: text, clientKey: optional(text) })),
  partners: array(SandboxPartner, { minItems: 1 }),
  accounts: array(object({ accountNo: text, name: text, currency: text, status: text, type: text })),
  merchants: array(
    object({
      merchantId: text,
      settlementAccountNo: text,
      payerAccountNo: optional(text),
      defaultHoldAmount: optional(text),
    }),
  ),
  scenarios: array(
    object({ beneficiaryBankCode: text, beneficiaryAccountNo: text, outcome: text, responseCase: text }),
  ),
});

export type SandboxPartner = Static<typeof SandboxPartner>;
export type SandboxFile = Static<typeof SandboxFile>;

/** The given path, or `sandbox.json` in the data directory. */
export function sandboxFilePath(given: string | undefined): string {
  return given ?? join(loadConfig({ needsSecrets: false }).dataDir, "sandbox.json");
}

/** @throws CliError when the file is missing or incomplete. */
export function readSandboxFile(path: string): SandboxFile {
  const file = parseFile(path);
  if (fits(SandboxFile, file)) return file;
  const place = schemaFaults(SandboxFile, file)[0]
    ?.path.map((step) => `/${step}`)
    .join("");
  throw new CliError(
    `${path} is not a complete sandbox.json (at ${place || "the top level"}). Start the sandbox again: npm start`,
  );
}

/** The partner of that id, or the first one. */
export function choosePartner({ partners }: SandboxFile, partnerId: string | undefined): SandboxPartner {
  const chosen = partnerId === undefined ? partners[0] : partners.find((partner) => partner.partnerId === partnerId);
  if (chosen !== undefined) return chosen;
  const names = partners.map((partner) => partner.partnerId);
  throw usageError(
    `There is no partner ${partnerId} in the sandbox${suggest(partnerId ?? "", names)} Choose one of: ${names.join(", ")}`,
  );
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError(`${path} is not JSON. Start the sandbox again: npm start`);
    throw new CliError(
      `${path} cannot be read: is the sandbox running? Start it with \`npm start\`, or give its file with --sandbox-file.`,
      undefined,
      { cause: error },
    );
  }
}

/** @throws CliError where this process's settings are those of production and no sandbox is named. */
export function requireSandbox(command: string, sandboxFile: string | undefined): void {
  if (sandboxFile !== undefined || loadConfig({ needsSecrets: false }).sandbox) return;
  throw usageError(
    `${command} is for the sandbox only: DATABASE_URL is set, without TITIAN_SANDBOX=1. Unset it, or name the file of a running sandbox with --sandbox-file. Outside the sandbox a partner's address is set with \`titian partner change\`.`,
  );
}
