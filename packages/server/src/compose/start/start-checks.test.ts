/** Each condition of a start with what breaks it, and the sentence that says so. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../config/config.ts";
import { addressOf } from "../../store/schema/database-login.ts";
import { type StartFacts, startChecks } from "./start-checks.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-start-"));
after(() => rmSync(directory, { recursive: true }));

const goodKey = randomBytes(32).toString("base64");
const unixUrl = "postgres://titian@localhost/titian?host=/run/postgresql";

type Environment = Readonly<Record<string, string>>;

function faultsOf(id: string, env: Environment, role?: StartFacts["role"]): readonly string[] {
  const options = { needsSecrets: false };
  const config = readConfig(
    { DATABASE_URL: unixUrl, TITIAN_MASTER_KEY: goodKey, TITIAN_SANDBOX: "0", ...env },
    options,
  );
  const facts = {
    config,
    ...(role && { role }),
    ...(config.databaseUrl && { database: addressOf(config.databaseUrl) }),
    ...(config.console && { consoleDatabase: addressOf(config.console.databaseUrl) }),
  };
  const check = startChecks.find((one) => one.id === id) ?? assert.fail(id);
  return check.faults(facts);
}

test("a superuser, an owner and a member of the owner serve nowhere; a role that owns nothing does", () => {
  const roleOf = (isSuperuser: boolean, ...owners: string[]) => ({ name: "app", isSuperuser, owners });
  const faults = (...role: Parameters<typeof roleOf>) => faultsOf("database-role", {}, roleOf(...role)).join();
  assert.match(
    faults(true, "app"),
    /^DATABASE_URL logs in as app, a superuser: .* titian migrate --application-role <role>$/,
  );
  assert.match(faults(false, "app", "bank"), /^DATABASE_URL logs in as app, the owner of its tables or their schema: /);
  assert.match(faults(false, "bank"), /^DATABASE_URL logs in as app, a member of the owner bank: /);
  assert.equal(faults(false), "");
});

test("a listener beyond loopback has TLS, or a proxy that has it", () => {
  const faults = (env: Environment) => faultsOf("listener-without-tls", env);
  for (const HOST of ["0.0.0.0", "::", "10.0.0.5", "api.bank.example"]) {
    assert.match(faults({ HOST }).join(), new RegExp(`^HOST is ${HOST}, .*TITIAN_TLS_CERT .*TITIAN_BEHIND_PROXY=1`));
    assert.deepEqual(faults({ HOST, TITIAN_BEHIND_PROXY: "1" }), []);
  }
  for (const HOST of ["127.0.0.1", "127.0.0.9", "::1", "localhost", "LOCALHOST"])
    assert.deepEqual(faults({ HOST }), []);
});

test("a database on another machine proves by its certificate that it is that machine", () => {
  const faults = (DATABASE_URL: string) => faultsOf("database-connection", { DATABASE_URL });
  const remote = "postgres://app:word@db.bank.example:5433/titian";
  const wrong = [
    "",
    "?sslmode=require",
    "?sslmode=verify-ca",
    "?sslmode=no-verify",
    "?ssl=true",
    "#sslmode=verify-full",
  ];
  for (const parameters of [...wrong, "?sslmode=verify-full&sslmode=disable"]) {
    const [fault = ""] = faults(`${remote}${parameters}`);
    assert.match(fault, /^DATABASE_URL leads to db\.bank\.example without sslmode=verify-full: /, parameters);
    assert.doesNotMatch(fault, /word/);
  }
  assert.match(faults("postgres://app@localhost/titian?host=10.0.0.7").join(), /leads to 10\.0\.0\.7 without/);
  assert.deepEqual(faults(`${remote}?sslmode=verify-full`), []);
  for (const here of ["localhost", "127.0.0.1:5433", "[::1]"])
    assert.deepEqual(faults(`postgres://app@${here}/titian`), []);
  assert.deepEqual(faults(unixUrl), []);
  assert.deepEqual(faults("postgres://app@%2Frun%2Fpostgresql/titian"), []);
});

test("operators log in over TLS, and the console's database proves what it is", () => {
  const settings = {
    TITIAN_CONSOLE_DATABASE_URL: unixUrl,
    TITIAN_CONSOLE_URL: "https://titian.bank.example",
    TITIAN_OIDC_ISSUER: "https://login.bank.example",
    TITIAN_OIDC_CLIENT_ID: "titian",
    TITIAN_OIDC_CLIENT_SECRET: "word",
    TITIAN_OIDC_SECOND_FACTOR: "amr:mfa",
  };
  const everywhere = { ...settings, TITIAN_MANAGEMENT_HOST: "0.0.0.0" };
  const faults = (env: Environment) => faultsOf("console-without-tls", env);
  assert.match(
    faults(everywhere).join(),
    /^TITIAN_MANAGEMENT_HOST is 0\.0\.0\.0, and operators would log in there without/,
  );
  assert.deepEqual(faults({ ...everywhere, TITIAN_BEHIND_PROXY: "1" }), []);
  assert.deepEqual(faults(settings), []);
  assert.deepEqual(faults({ TITIAN_MANAGEMENT_HOST: "0.0.0.0" }), []);
  const elsewhere = { ...settings, TITIAN_CONSOLE_DATABASE_URL: "postgres://console:word@db.bank.example/titian" };
  const [fault = ""] = faultsOf("database-connection", elsewhere);
  assert.match(fault, /^TITIAN_CONSOLE_DATABASE_URL leads to db\.bank\.example without sslmode=verify-full: /);
  assert.deepEqual(faultsOf("database-connection", settings), []);
});

test("a master key has no pattern; the one before may have", () => {
  const faults = (bytes: Iterable<number>) =>
    faultsOf("master-key", { TITIAN_MASTER_KEY: Buffer.from([...bytes]).toString("base64") }).join();
  assert.match(
    faults(Buffer.alloc(32, 7)),
    /^TITIAN_MASTER_KEY is not random: all its bytes are the same\. .*openssl rand/,
  );
  assert.match(faults(Buffer.alloc(32)), /all its bytes are the same/);
  assert.match(faults(Array.from({ length: 32 }, (_, at) => at)), /its bytes are a series/);
  assert.match(faults(Array.from({ length: 32 }, (_, at) => (250 - 3 * at) & 0xff)), /its bytes are a series/);
  assert.match(faults(Buffer.from("0123456789abcdef".repeat(2))), /only 16 different bytes/);
  assert.match(faults(Buffer.from("changeme".repeat(4))), /only 7 different bytes/);
  for (let round = 0; round < 1_000; round += 1) assert.equal(faults(randomBytes(32)), "");
  assert.deepEqual(faultsOf("master-key", { TITIAN_MASTER_KEY_PREVIOUS: Buffer.alloc(32).toString("base64") }), []);
});

test("nobody else can write the data directory, nor a directory that settings are read from", {
  skip: !process.getuid,
}, () => {
  const faults = (env: Environment) => faultsOf("open-directory", env);
  const open = join(directory, "open");
  const tight = join(directory, "tight");
  for (const [path, mode] of [
    [open, 0o777],
    [tight, 0o755],
  ] as const) {
    mkdirSync(path);
    chmodSync(path, mode);
    writeFileSync(join(path, "banks.json"), "[]");
  }
  const embedded = (TITIAN_DATA_DIR: string) => ({
    DATABASE_URL: "",
    TITIAN_ALLOW_EMBEDDED_DATABASE: "1",
    TITIAN_DATA_DIR,
  });
  const said = (setting: string, mode = 777) => [
    `${setting}: the directory ${open} can be written by others (mode ${mode}). Close it by chmod go-w ${open}`,
  ];
  assert.deepEqual(faults(embedded(open)), said("TITIAN_DATA_DIR"));
  for (const path of [tight, join(directory, "none")]) assert.deepEqual(faults(embedded(path)), []);
  assert.deepEqual(faults({ TITIAN_DATA_DIR: open }), [], "it is used by a sandbox and the embedded database");
  assert.deepEqual(faults({ TITIAN_DATA_DIR: open, TITIAN_SANDBOX: "1" }), said("TITIAN_DATA_DIR"));
  const files = { TITIAN_BANKS_FILE: join(open, "banks.json"), TITIAN_RAILS_FILE: join(open, "rails.json") };
  assert.deepEqual(faults(files), said("TITIAN_RAILS_FILE"), "each directory once");
  assert.deepEqual(faults({ TITIAN_BANKS_FILE: join(tight, "banks.json") }), []);
  chmodSync(open, 0o1777);
  assert.deepEqual(faults(files), [], "as a container's secrets are: nobody replaces another's file");
  assert.deepEqual(faults(embedded(open)), said("TITIAN_DATA_DIR", 1777));
});

const needsRoot = process.getuid?.() === 0 ? false : "only root gives a directory to another user";
test("a directory of another user is that user's to write", { skip: needsRoot }, () => {
  const theirs = join(directory, "theirs");
  mkdirSync(theirs, { mode: 0o700 });
  chownSync(theirs, 65_534, 65_534);
  assert.deepEqual(faultsOf("open-directory", { TITIAN_SANDBOX: "1", TITIAN_DATA_DIR: theirs }), [
    `TITIAN_DATA_DIR: the directory ${theirs} belongs to user 65534, and this process runs as user 0. Close it by chown 0 ${theirs}`,
  ]);
});
