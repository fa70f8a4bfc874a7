/** Starts that production rejects, and a sandbox warns of: by the command, and by the database's word about its roles. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "pg";
import { checkStart } from "../../packages/server/src/compose/start/check-start.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { findLoginRole } from "../../packages/server/src/store/schema/database-login.ts";
import { urlFor } from "../../packages/server/src/store/schema/roles.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { spawnCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const database = stack.use(await useDatabase());
const directory = mkdtempSync(join(tmpdir(), "titian-start-"));
stack.defer(() => rmSync(directory, { recursive: true }));
chmodSync(directory, 0o777);
writeFileSync(join(directory, "banks.json"), "[]");

const wrong = {
  HOST: "0.0.0.0",
  TITIAN_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  TITIAN_BANKS_FILE: join(directory, "banks.json"),
};
const lines = {
  role: /^ {2}- DATABASE_URL logs in as \w+, a superuser: it could change what is booked, and let callers in\. Serve as a role that owns nothing: the owner gives it its rights by titian migrate --application-role <role>$/,
  host: /^ {2}- HOST is 0\.0\.0\.0, and calls would come there without TLS\. Set TITIAN_TLS_CERT and TITIAN_TLS_KEY, or TITIAN_BEHIND_PROXY=1 where a proxy with TLS stands before this listener, or HOST=127\.0\.0\.1$/,
  connection: /^ {2}- DATABASE_URL leads to 0\.0\.0\.0 without sslmode=verify-full: /,
  key: /^ {2}- TITIAN_MASTER_KEY is not random: all its bytes are the same\. /,
  directory:
    /^ {2}- TITIAN_BANKS_FILE: the directory \S+ can be written by others \(mode 777\)\. Close it by chmod go-w \S+$/,
};

async function refusedFor(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { exitCode, stderr, stdout } = await spawnCli(["serve"], { env: { PORT: "0", ...env } });
  assert.deepEqual([exitCode, stdout], [2, ""], stderr);
  assert.match(stderr, /^Invalid configuration:\n/);
  return stderr.split("\n").filter((line) => line.startsWith("  - "));
}

function assertLines(found: readonly string[], expected: readonly RegExp[]): void {
  assert.equal(found.length, expected.length, found.join("\n"));
  for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? "", pattern);
}

test("production does not start, and names all that is wrong at once; with workers their supervisor does", async () => {
  const env = { ...productionSettings(database.ownerUrl), ...wrong };
  const all = [lines.role, lines.host, lines.key, lines.directory];
  assertLines(await refusedFor(env), all);
  assertLines(await refusedFor({ ...env, TITIAN_WORKERS: "2" }), all);
});

test("a database on another machine is not connected to without its certificate", async (t) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { TITIAN_MASTER_KEY, TITIAN_BANKS_FILE } = wrong;
  // No loopback address, and yet the listener's.
  const settings = productionSettings(`postgres://app:word@0.0.0.0:${port}/titian`);
  const found = await refusedFor({ ...settings, TITIAN_MASTER_KEY, TITIAN_BANKS_FILE });
  assertLines(found, [lines.connection, lines.key, lines.directory]);
  assert.equal(connections, 0);
});

test("a database that does not answer hides nothing of what is wrong; alone it is told as always", async () => {
  const settings = productionSettings("postgres://app:word@127.0.0.1:9/titian");
  assertLines(await refusedFor({ ...settings, HOST: wrong.HOST }), [lines.host]);
  const config = readConfig(settings);
  await assert.rejects(checkStart({ config, log: createLog({ level: "silent" }) }), { code: "ECONNREFUSED" });
});

test("a sandbox starts and warns, a line for each", async () => {
  const written: { level: number; event: string; reason: string; msg: string }[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void written.push(JSON.parse(line)) } });
  await checkStart({ config: readConfig({ ...wrong, DATABASE_URL: database.ownerUrl, TITIAN_SANDBOX: "1" }), log });
  assert.deepEqual(
    written.map(({ level, event, reason }) => [level, event, reason]),
    ["database-role", "listener-without-tls", "master-key", "open-directory"].map((id) => [40, "start.unsafe", id]),
  );
  assert.match(written[1]?.msg ?? "", /^Production would not start: HOST is 0\.0\.0\.0, /);
  written.length = 0;
  await checkStart({ config: readConfig({}), log });
  assert.deepEqual(written, []);
});

test("the database says who a role is: a superuser, the owner of a table, a member of an owner, or none of them", async () => {
  assert.deepEqual(await findLoginRole(database.url), { name: "titian_app", isSuperuser: false, owners: [] });
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const [one, member] = [0, 1].map(() => `start_${randomBytes(6).toString("hex")}`) as [string, string];
  try {
    const { name, isSuperuser, owners } = await findLoginRole(database.ownerUrl);
    assert.deepEqual([isSuperuser, owners.includes(name)], [true, true]);
    await owner.query(`create role ${one} login password 'w'; create role ${member} login password 'w' noinherit in role ${one};
      alter table merchants owner to ${one};
      do $$ begin execute 'grant usage on schema ' || current_schema() || ' to ${one}, ${member}'; end $$`);
    for (const role of [one, member]) {
      const found = await findLoginRole(urlFor(database.ownerUrl, role, "w"));
      assert.deepEqual(found, { name: role, isSuperuser: false, owners: [one] });
    }
  } finally {
    await owner.query(`reassign owned by ${one} to current_user; drop owned by ${one}, ${member};
      drop role ${member}; drop role ${one}`);
    await owner.end();
  }
});
