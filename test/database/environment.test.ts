/** A database belongs to production or to a sandbox: a service of the other kind does not start on it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Client } from "pg";
import { startService } from "../../packages/server/src/compose/start-service.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { useDatabase } from "../support/database/database.ts";
import { startPlainCore } from "../support/plain-core.ts";

/** Starts and ends it. */
async function visit(url: string, environment?: "production" | "sandbox"): Promise<void> {
  await using _core = await startPlainCore(url, environment && { environment });
}

test("production does not start on a sandbox's database, the sandbox does again, and commands work on it", async () => {
  await using database = await useDatabase();
  await visit(database.url, "sandbox");
  const env = {
    DATABASE_URL: database.url,
    TITIAN_SANDBOX: "0",
    TITIAN_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const config = readConfig(env, { needsSecrets: false });
  const log = createLog({ level: "silent" });
  await assert.rejects(
    startService({ config, log, onProgress: () => undefined }),
    /The database belongs to a sandbox, and this service is to run in production: set DATABASE_URL to another/,
  );
  await visit(database.url, "sandbox");
  await visit(database.url);
});

test("a sandbox does not start on production's database, with a record of it or with accounts that nobody seeded", async () => {
  await using recorded = await useDatabase();
  await visit(recorded.url, "production");
  await using filled = await useDatabase();
  const owner = new Client({ connectionString: filled.ownerUrl });
  await owner.connect();
  await seedAccounts(owner, accounts(1, 1n));
  const rejection = /The database belongs to production, and this service is to run as a sandbox/;
  for (const { url } of [recorded, filled]) await assert.rejects(visit(url, "sandbox"), rejection);
  const { rows } = await owner.query("select name from service_state");
  assert.deepEqual(rows, [], "a service that was rejected left something");
  await owner.end();
  await visit(filled.url, "production");
});
