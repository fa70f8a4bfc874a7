/** The role of administration: commands that onboard need it, say so where they lack it, and are given it by `titian migrate`. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startNode } from "../support/administration.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { startService } from "../support/black-box/service.ts";
import { useDatabase } from "../support/database/database.ts";
import { urlFor } from "../../packages/server/src/store/schema/roles.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { newPublicKey } from "../support/partners.ts";

const database = await useDatabase();
// A node publishes the key that client secrets are sealed with.
await (await startNode(database.url)).close();
const operator = `operator_${randomBytes(6).toString("hex")}`;
await runStatements(database.ownerUrl, [`create role ${operator} login password 'operator'`]);
const workDir = mkdtempSync(join(tmpdir(), "titian-administration-"));
const keyFile = join(workDir, "public-key.pem");
writeFileSync(keyFile, newPublicKey());
after(async () => {
  await runStatements(database.ownerUrl, [`drop owned by ${operator}`, `drop role ${operator}`]);
  await database.drop();
  rmSync(workDir, { recursive: true });
});

const settings = { TITIAN_SANDBOX: "0" };
const titian = (line: string, env: Readonly<Record<string, string>>) =>
  runCli(line.split(" "), { env: { ...settings, ...env } });
const addPartner = `partner add SHOP01 --name Shop --public-key ${keyFile}`;

test("a command without the role of administration says which rights it lacks, which setting has them, and who gives them", async () => {
  const ran = await titian(addPartner, { DATABASE_URL: database.url });
  assert.equal(ran.exitCode, 1);
  const sentence =
    /The database role titian_app lacks rights of administration: insert on customer_grants, update on rail_differences, execute on add_cell, execute on approve_act, execute on approve_acts, execute on end_operator_session, execute on propose_act, execute on refuse_act, execute on unmask_record\. Set TITIAN_ADMIN_DATABASE_URL to the URL of a role that has them; .*`titian migrate --administration-role <role>`/;
  assert.match(ran.stderr, sentence);
  const opened = await titian("account open --name Siti --balance 50000.00", { DATABASE_URL: database.url });
  assert.match(opened.stderr, sentence);
  assert.deepEqual(await queryRows(database.ownerUrl, "select account_no from accounts"), []);
  assert.deepEqual(await queryRows(database.ownerUrl, "select partner_id from partners"), []);
  assert.deepEqual(await queryRows(database.ownerUrl, "select version from reference_version"), [{ version: "1" }]);
});

test("titian migrate gives a role these rights, and commands onboard with it alone or beside the service's", async () => {
  const migrated = await titian(`migrate --administration-role ${operator}`, { DATABASE_URL: database.ownerUrl });
  assert.equal(migrated.exitCode, 0, migrated.stderr);
  assert.match(migrated.stdout, new RegExp(`Granted privileges to ${operator}`));
  const administration = { TITIAN_ADMIN_DATABASE_URL: urlFor(database.ownerUrl, operator, "operator") };
  const done = [
    [addPartner, administration],
    ["account open --name Siti --account-no 1234567890 --balance 50000.00 --partner SHOP01", administration],
    ["account open --name Budi --account-no 1234567891", administration],
    ["account fund 1234567891 10000.00 --reference first", administration],
    ["account fund 1234567891 10000.00 --reference first --json", { ...administration, DATABASE_URL: database.url }],
    ["account fund 1234567891 2500", administration],
    ["merchant add FUEL-7 --partner SHOP01 --name SPBU --settlement-account 1234567891", administration],
    ["auth-code new --partner SHOP01 --account 1234567890", { ...administration, DATABASE_URL: database.url }],
    ["partner suspend SHOP01", { ...administration, DATABASE_URL: database.url }],
    ["consent revoke --partner SHOP01 --account 1234567890", administration],
    ["account list", { DATABASE_URL: database.url }],
    ["audit", { DATABASE_URL: database.url }],
  ] as const;
  for (const [line, env] of done) {
    const ran = await titian(line, env);
    assert.equal(ran.exitCode, 0, `${line}: ${ran.stderr}`);
  }
  const balance = "select balance from accounts where account_no = '1234567891'";
  assert.deepEqual(await queryRows(database.ownerUrl, balance), [{ balance: "1250000" }]);
  const otherAmount = await titian("account fund 1234567891 1 --reference first", administration);
  assert.match(otherAmount.stderr, /This reference has moved another amount, or on another account/);
  const denied = await titian("auth-code new --partner SHOP01 --account 1234567890", { DATABASE_URL: database.url });
  assert.match(denied.stderr, /titian_app lacks rights of administration/);
});

test("production serves as the service's role alone, and says that it has no use for administration's", async () => {
  const dataDir = createDataDir();
  const { administrationUrl: TITIAN_ADMIN_DATABASE_URL } = database;
  const more = { ...settings, TITIAN_ADMIN_DATABASE_URL, TITIAN_SHUTDOWN_DELAY_SECONDS: "0" };
  const env = { ...productionSettings(database.url), ...more };
  const service = await startService({ dataDir, env });
  try {
    assert.match(
      service.output(),
      /"event":"setting\.ignored","setting":"TITIAN_ADMIN_DATABASE_URL","msg":"It is for commands/,
    );
    const users =
      "select distinct usename as name from pg_stat_activity where datname = current_database() and usename <> current_user";
    assert.deepEqual(await queryRows(database.ownerUrl, users), [{ name: "titian_app" }]);
  } finally {
    await service.end("SIGTERM");
    removeDataDir(dataDir);
  }
});

test("service and administration have a role each", async () => {
  const line = "migrate --application-role titian_app --administration-role titian_app";
  const ran = await titian(line, { DATABASE_URL: database.ownerUrl });
  assert.deepEqual([ran.exitCode, /need a role each/.test(ran.stderr)], [2, true]);
});
