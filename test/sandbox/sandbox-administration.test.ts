/** A sandbox has two roles: its calls are served as one, its control calls onboard as the other. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCaller } from "../support/black-box/caller.ts";
import { createControl } from "../support/black-box/control.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { readSandboxFile } from "../support/black-box/sandbox-file.ts";
import { startService } from "../support/black-box/service.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { useDatabase } from "../support/database/database.ts";
import { queryRows } from "../support/database/with-client.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { agent, dataDir, file } = sandbox;

const userOf = (url: string) => new URL(url).username;

test("sandbox.json has the URLs of both roles, and the service is served as the lesser", async () => {
  assert.deepEqual([file.databaseUrl, file.administrationUrl].map(userOf), ["titian_app", "titian_admin"]);
  const users = await queryRows(
    sandbox.ownerUrl ?? assert.fail(),
    `select distinct usename as name from pg_stat_activity where datname = current_database()
      and application_name in ('titian engine', 'titian reads', 'titian notifications')`,
  );
  assert.deepEqual(users, [{ name: "titian_app" }]);
});

test("a second node finds what administration connects to in the data directory, also after the first is gone", async () => {
  for (const end of ["SIGTERM", "SIGKILL"] as const) {
    // It is given DATABASE_URL, TITIAN_SANDBOX=1 and the data directory.
    await using node = await sandbox.startNode();
    const control = createControl({ ...file, baseUrl: node.baseUrl }, agent);
    const rateLimit = { perSecond: 50, burst: 100 };
    const set = await control.call("PUT", "partners/beta/settings", { rateLimit });
    assert.deepEqual(set["rateLimit"], rateLimit);
    assert.equal((await control.open({ name: "Dewi", balance: "1.00", partnerId: "beta" })).ledgerBalance, "1.00");
    await createCaller({ ...file, baseUrl: node.baseUrl }, "beta", agent).token({ fresh: true });
    if (end === "SIGTERM") await sandbox.service.end("SIGKILL");
    else assert.equal(readSandboxFile(dataDir).administrationUrl, file.administrationUrl);
    await node.end(end);
  }
});

test("a sandbox that lacks rights of administration, or has another database's, does not start and says why", async (t) => {
  await using database = await useDatabase();
  await using other = await useDatabase();
  const directory = createDataDir();
  t.after(() => removeDataDir(directory));
  const start = (more: Readonly<Record<string, string>>) =>
    startService({ dataDir: directory, env: { DATABASE_URL: database.url, TITIAN_SANDBOX: "1", ...more } });
  await assert.rejects(
    start({}),
    /titian_app lacks rights of administration: insert on customer_grants, .*execute on propose_act, .*TITIAN_ADMIN_DATABASE_URL/,
  );
  await assert.rejects(
    start({ TITIAN_ADMIN_DATABASE_URL: other.administrationUrl }),
    /TITIAN_ADMIN_DATABASE_URL leads to another database than DATABASE_URL/,
  );
});
