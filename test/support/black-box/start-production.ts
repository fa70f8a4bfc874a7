/** The service as in production, with one partner and its accounts: `titian serve` on a database of the test's own. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Agent } from "undici";
import { openAccount } from "../../../packages/server/src/admin/accounts.ts";
import { onboardPartner } from "../../../packages/server/src/admin/partners.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import { masterKeys, startNode } from "../administration.ts";
import { useDatabase } from "../database/database.ts";
import { valueOf } from "../expect.ts";
import { newPartner } from "../partners.ts";
import { type Caller, createCaller, type Served } from "./caller.ts";
import { createDataDir, removeDataDir } from "./data-dir.ts";
import { endProcesses } from "./processes.ts";
import type { SandboxPartner } from "./sandbox-file.ts";
import { type Service, startService } from "./service.ts";
import { createAgent } from "./start-sandbox.ts";

export interface Production extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly service: Service;
  readonly served: Served;
  /** Of its only partner, which may debit all its accounts. */
  readonly caller: Caller;
  readonly agent: Agent;
  close(): Promise<void>;
}

const bankCode = "008";
const accountsOpened = 8;
/** In minor units. */
export const openingBalance = 1_000_000_000n;
const graceMs = 15_000;

const pair = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/**
 * `env`: settings beside those that production needs.
 * `given`: a migrated database to use instead of one of the tests' cluster.
 */
export async function startProduction(env: Readonly<Record<string, string>>, given?: string): Promise<Production> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = given ?? stack.use(await useDatabase()).url;
  const dataDir = createDataDir();
  stack.defer(async () => {
    await endProcesses(dataDir, graceMs);
    removeDataDir(dataDir);
  });
  const partner = await addPartner(databaseUrl);
  const service = stack.use(
    await startService({
      dataDir,
      env: {
        DATABASE_URL: databaseUrl,
        TITIAN_SANDBOX: "0",
        TITIAN_MASTER_KEY: Buffer.from(masterKeys.current).toString("base64"),
        TITIAN_PROVIDER_KEY: pair().privateKey,
        TITIAN_BANK_CODE: bankCode,
        ...env,
      },
    }),
  );
  const managementUrl = /^ +Health +(http:\/\/[^/\s]+)/m.exec(service.output())?.[1] ?? "";
  const served: Served = {
    baseUrl: service.baseUrl,
    managementUrl,
    pathPrefix: "",
    version: "v1.0",
    partners: [partner],
  };
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const owned = stack.move();
  const close = () => owned.disposeAsync();
  return {
    databaseUrl,
    dataDir,
    service,
    served,
    caller: createCaller(served, partner.partnerId, agent),
    agent,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function addPartner(url: string): Promise<SandboxPartner> {
  await using node = await startNode(url);
  const { publicKey, privateKey } = pair();
  const [clientSecret] = [randomBytes(24).toString("base64url")];
  const terms = newPartner({ secrets: [clientSecret], publicKeys: [publicKey] });
  const { key } = valueOf(await onboardPartner(node, terms));
  const sourceAccounts: string[] = [];
  for (let index = 0; index < accountsOpened; index += 1) {
    const account = { name: `Payer ${index}`, currency: "IDR", type: "S" as const, balance: minor(openingBalance) };
    sourceAccounts.push(valueOf(await openAccount(node, { ...account, partners: [key] })).accountNo);
  }
  const { partnerId, clientKey, channelId } = terms;
  const credentials = { partnerId, clientKey, clientSecret, privateKey, publicKey, channelId };
  return { ...credentials, signing: "symmetric", sourceAccounts, merchants: [] };
}
