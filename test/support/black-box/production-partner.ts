/** Environment of a test's production service, and the one partner of its database. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { openAccount } from "../../../packages/server/src/admin/accounts/open-account.ts";
import { registerMerchant } from "../../../packages/server/src/admin/merchants/merchants.ts";
import { type NewPartner, onboardPartner } from "../../../packages/server/src/admin/partners/partners.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { masterKeys, startNode } from "../administration.ts";
import { valueOf } from "../expect.ts";
import { newPartner } from "../partners.ts";
import type { SandboxPartner } from "./sandbox-file.ts";

const bankCode = "008";
const accountsOpened = 8;
/** In minor units. */
export const openingBalance = 1_000_000_000n;

const pair = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

export function productionSettings(databaseUrl: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: databaseUrl,
    TITIAN_SANDBOX: "0",
    TITIAN_MASTER_KEY: Buffer.from(masterKeys.current).toString("base64"),
    TITIAN_PROVIDER_KEY: pair().privateKey,
    TITIAN_BANK_CODE: bankCode,
  };
}

/** With accounts in home that it may debit, and a merchant. */
export async function addPartner(databaseUrl: string, terms: Partial<NewPartner> = {}): Promise<SandboxPartner> {
  await using node = await startNode(databaseUrl);
  const { publicKey, privateKey } = pair();
  const clientSecret = randomBytes(24).toString("base64url");
  const input = newPartner({ secrets: [clientSecret], publicKeys: [publicKey], ...terms });
  const { key } = valueOf(await onboardPartner(node, input));
  const sourceAccounts: string[] = [];
  for (let index = 0; index < accountsOpened; index += 1) {
    const account = { name: `Payer ${index}`, currency: "IDR", type: "S" as const, balance: minor(openingBalance) };
    sourceAccounts.push(valueOf(await openAccount(node, { ...account, partners: [key] })).accountNo);
  }
  const { partnerId, clientKey, channelId, name } = input;
  const [merchantId, settlementAccountNo = ""] = ["MERCHANT-1", ...sourceAccounts];
  valueOf(await registerMerchant(node, { partnerId, merchantId, name, settlementAccountNo }));
  const credentials = { partnerId, clientKey, clientSecret, privateKey, publicKey, channelId };
  return { ...credentials, signing: "symmetric", sourceAccounts, merchants: [merchantId] };
}
