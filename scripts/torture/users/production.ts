/**
 * Production as its operator sets it up, with commands alone and a role of PostgreSQL for each hand: the owner migrates,
 * administration onboards, the service serves. Each step says what was done; one that goes otherwise ends the program.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCaller } from "../../../test/support/black-box/caller.ts";
import { createDataDir, removeDataDir } from "../../../test/support/black-box/data-dir.ts";
import { findStrays } from "../../../test/support/black-box/processes.ts";
import { productionSettings } from "../../../test/support/black-box/production-partner.ts";
import { startService } from "../../../test/support/black-box/service.ts";
import { createAgent } from "../../../test/support/black-box/start-sandbox.ts";
import { transferBody, transferPath } from "../../../test/support/black-box/transfers.ts";
import { runCli } from "../../../test/support/cli/run-cli.ts";
import { startTestCluster } from "../../../test/support/database/test-cluster.ts";
import { runStatements } from "../../../test/support/database/with-client.ts";

const roles = ["titian_owner", "titian_app", "titian_admin"] as const;
const password = "of-this-run";

const cluster = await startTestCluster();
const dataDir = createDataDir();
const agent = createAgent();

function urlOf(role: (typeof roles)[number]): string {
  const url = new URL(cluster.postgres.url);
  Object.assign(url, { username: role, password, pathname: "/titian_production" });
  return url.href;
}
const [ownerUrl, serviceUrl, administrationUrl] = [urlOf("titian_owner"), urlOf("titian_app"), urlOf("titian_admin")];
const settings = productionSettings(serviceUrl);

async function titian(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return runCli(args, { env: { ...settings, ...env } });
}

async function mustDo(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await titian(env, ...args);
  assert.equal(exitCode, 0, `titian ${args.join(" ")}: ${stdout}${stderr}`);
  console.log(`titian ${args.slice(0, 2).join(" ")}: done`);
  return stdout;
}

try {
  await runStatements(cluster.postgres.url, [
    ...roles.map((role) => `create role ${role} login password '${password}'`),
    "create database titian_production owner titian_owner encoding 'UTF8' template template0",
  ]);
  const grants = ["--application-role", "titian_app", "--administration-role", "titian_admin"];
  await mustDo({ DATABASE_URL: ownerUrl }, "migrate", ...grants);

  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const keyFile = join(dataDir, "partner.pem");
  writeFileSync(keyFile, publicKey);
  const add = ["partner", "add", "SHOP01", "--name", "Shop", "--public-key", keyFile];
  const denied = await titian({}, ...add);
  assert.equal(denied.exitCode, 1);
  assert.match(denied.stderr, /titian_app lacks rights of administration: .*execute on propose_act/);
  console.log("titian partner add as the service's role: denied, the missing rights are named");

  const administration = { TITIAN_ADMIN_DATABASE_URL: administrationUrl };
  const clientSecret = /^client secret +(\S+)$/m.exec(await mustDo(administration, ...add))?.[1] ?? "";
  const sourceAccounts = ["1234567890", "1234567891"];
  for (const accountNo of sourceAccounts) {
    const account = ["--name", "Siti", "--account-no", accountNo, "--balance", "50000.00", "--partner", "SHOP01"];
    await mustDo(administration, "account", "open", ...account);
  }

  const service = await startService({ dataDir, env: settings });
  const managementUrl = /^ +Health +(http:\/\/[^/\s]+)/m.exec(service.output())?.[1] ?? "";
  const names = { partnerId: "SHOP01", clientKey: "SHOP01", channelId: "95221", signing: "symmetric" } as const;
  const partner = { ...names, clientSecret, privateKey, publicKey, sourceAccounts, merchants: [] };
  const served = { baseUrl: service.baseUrl, managementUrl, pathPrefix: "", version: "v1.0", partners: [partner] };
  const [from = "", to = ""] = sourceAccounts;
  const paid = await createCaller(served, "SHOP01", agent).call(
    transferPath,
    transferBody({ from, to, value: "1.00" }),
  );
  assert.equal(paid.code, "2001700");
  console.log("titian serve as the service's role: a signed transfer was answered 2001700");
  await mustDo({}, "audit");
  assert.deepEqual(await service.end("SIGTERM"), { code: 0, signal: null }, service.output());
  assert.deepEqual(await findStrays(dataDir, 5_000), []);
  console.log("SIGTERM: ended with exit code 0, no process left");
} finally {
  await agent.destroy();
  removeDataDir(dataDir);
  await cluster.remove();
}
process.exit();
