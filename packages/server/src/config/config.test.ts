import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { tlsFiles } from "../../../../test/support/edge/tls-files.ts";
import { ConfigError, readConfig } from "./config.ts";

const masterKey = randomBytes(32);
const providerKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const production = {
  DATABASE_URL: "postgres://titian@localhost/titian",
  TITIAN_MASTER_KEY: masterKey.toString("base64"),
  TITIAN_PROVIDER_KEY: providerKey,
  TITIAN_BANK_CODE: "008",
};

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  return [];
}

test("metrics, health and documentation have a listener of their own outside the sandbox, elsewhere where it is set", () => {
  assert.deepEqual(readConfig(production).management, { port: 9_090, host: "127.0.0.1" });
  assert.equal(readConfig(production).shutdownDelayMs, 5_000);
  assert.deepEqual(readConfig({ ...production, PORT: "0" }).management, { port: 0, host: "127.0.0.1" });
  const elsewhere = { TITIAN_MANAGEMENT_PORT: "9100", TITIAN_MANAGEMENT_HOST: "0.0.0.0" };
  assert.deepEqual(readConfig(elsewhere).management, { port: 9_100, host: "0.0.0.0" });
});

test("a DATABASE_URL with several hosts is rejected with what to name instead, and no secret", () => {
  for (const DATABASE_URL of ["postgres://titian:word@one:5432,other/titian", "postgres:///titian?host=one,other"]) {
    const [fault = ""] = faultsOf({ ...production, DATABASE_URL });
    assert.match(fault, /^DATABASE_URL names several hosts.* follows the primary/);
    assert.doesNotMatch(fault, /word/);
  }
  assert.deepEqual(faultsOf({ ...production, DATABASE_URL: "postgres://ti,tian:wo,rd@one/titian?options=a,b" }), []);
});

test("an empty environment is the sandbox with its defaults", () => {
  assert.deepEqual(readConfig({}), {
    port: 8080,
    host: "127.0.0.1",
    shutdownDelayMs: 0,
    workers: 1,
    dataDir: ".titian",
    sandbox: true,
    inquiriesOnly: false,
    paths: { prefixes: [""], versions: ["v1.0"], aliases: {}, anyRoot: true },
    bankCode: "999",
    railFiles: {},
    timestampWindowMs: 300_000,
    bodyLimit: 65_536,
    bulkBodyLimit: 8_388_608,
    externalIdDigitsOnly: false,
    idempotencyWindowMs: 86_400_000,
    holdEventsMax: 1_000,
    paymentRequests: { openOfPartnerMax: 10, openOfPayerMax: 100, durationMaxMs: 7_776_000_000, hidesPayers: false },
    storedQuotaLimits: { rejectionsPerDay: 1_000_000, freeFormBytesPerDay: 10_737_418_240 },
    lookUpsAlert: 5_000,
    partitionPeriodMs: 604_800_000,
    keepExternalIdsMs: 604_800_000,
    keepMs: {
      rejected_requests: 7_776_000_000,
      delivery_attempts: 7_776_000_000,
      search_words: 34_560_000_000,
      kept_calls: 34_560_000_000,
    },
    searchPerSecond: 250,
    notifications: { clientId: "titian", timeoutMs: 2_000 },
    bulksMax: 16,
    cells: [],
    partnerBulksMax: 10,
    interbankWaitMs: 10_000,
    railInquiryMaxIntervalMs: 300_000,
    behindProxy: false,
    trustedProxies: [],
    hosts: [],
    files: {},
    logLevel: "info",
    synchronous: "optional",
    allowUnsafeDatabase: false,
    unknownSettings: [],
  });
});

test("a TITIAN_* variable that is not a setting is ignored and named", () => {
  const env = { TITIAN_DIRECTORY: "/data", TITIAN_TEST_SEED: "1", TITIAN_NPM_PID: "1", TITIAN_LOG_LEVEL: "warn" };
  assert.deepEqual(readConfig(env).unknownSettings, ["TITIAN_DIRECTORY"]);
});

test("one that is nearly a setting stops the start", () => {
  const slips = {
    TITIAN_DATADIR: "TITIAN_DATA_DIR",
    TITIAN_WROKERS: "TITIAN_WORKERS",
    TITIAN_LOG_LEVL: "TITIAN_LOG_LEVEL",
  };
  for (const [slip, meant] of Object.entries({ ...slips, TITIAN_sandbox: "TITIAN_SANDBOX" })) {
    assert.deepEqual(faultsOf({ [slip]: "1" }), [`${slip} is not a setting; did you mean ${meant}?`]);
  }
});

test("the sandbox is off with a database, unless asked for", () => {
  assert.equal(readConfig(production).sandbox, false);
  assert.equal(readConfig({ ...production, TITIAN_SANDBOX: "1" }).sandbox, true);
  assert.match(faultsOf({ TITIAN_SANDBOX: "0" }).join("\n"), /TITIAN_MASTER_KEY is required outside the sandbox/);
});

test("production on the embedded database has to be said", () => {
  const { DATABASE_URL: _none, ...embedded } = { ...production, TITIAN_SANDBOX: "0" };
  assert.match(faultsOf(embedded).join("\n"), /^DATABASE_URL is required outside the sandbox; TITIAN_ALLOW_EMBEDDED_/);
  assert.equal(readConfig({ ...embedded, TITIAN_ALLOW_EMBEDDED_DATABASE: "1" }).databaseUrl, undefined);
});

test("several workers are for production", () => {
  assert.equal(readConfig({ ...production, TITIAN_WORKERS: "4" }).workers, 4);
  assert.match(faultsOf({ TITIAN_WORKERS: "2" }).join("\n"), /^TITIAN_WORKERS must be 1 in the sandbox, not 2: /);
  assert.equal(readConfig({ ...production, TITIAN_WORKERS: "2", TITIAN_RAIL_DIRECTORY: "/rails" }).workers, 2);
});

test("every fault is named at once, with what would be right", () => {
  const env = { PORT: "http", TITIAN_SANDBOX: "yes", TITIAN_VERSIONS: "v1.0,2", TITIAN_PATH_PREFIX: "/a/" };
  const faults = faultsOf(env);
  assert.deepEqual(faults, [
    'PORT must be a port number from 0 to 65535, not "http"',
    'TITIAN_SANDBOX must be 1 or 0, not "yes"',
    'TITIAN_PATH_PREFIX must be empty, or paths such as /snap without a slash at the end, separated by commas, not "/a/"',
    'TITIAN_VERSIONS must be versions such as v1.0, separated by commas, not "v1.0,2"',
  ]);
});

test("faults are named however many they are", () => {
  const names = ["PORT", "DATABASE_URL", "TITIAN_SANDBOX", "TITIAN_BULKS_MAX", "TITIAN_LOG_LEVEL", "TITIAN_VERSIONS"];
  const limits = ["TITIAN_WORKERS", "TITIAN_BODY_LIMIT", "TITIAN_BULK_BODY_LIMIT", "TITIAN_HOLD_EVENTS_MAX"];
  const faults = faultsOf(Object.fromEntries([...names, ...limits].map((name) => [name, "none"])));
  assert.deepEqual(new Set(faults.map((fault) => fault.split(" ")[0])), new Set([...names, ...limits]));
});

test("the public address has no path", () => {
  for (const url of ["https://api.bank.example", "http://10.0.0.1:8080", "https://[::1]:8443"]) {
    assert.equal(readConfig({ ...production, TITIAN_PUBLIC_URL: url }).publicUrl, url);
  }
  assert.equal(readConfig(production).publicUrl, undefined);
  for (const url of ["https://api.bank.example/", "https://api.bank.example/snap", "api.bank.example", "ftp://a"]) {
    assert.match(faultsOf({ ...production, TITIAN_PUBLIC_URL: url }).join(), /^TITIAN_PUBLIC_URL must be an address/);
  }
});

test("aliases of paths are one operation's each, and only where no other path stands", () => {
  const aliases = "intrabankTransfer=transfer/intra-bank, 17=emoney/transfer,63=debit/auth";
  const { paths } = readConfig({ ...production, TITIAN_PATH_ALIASES: aliases });
  assert.deepEqual(paths, {
    prefixes: [""],
    versions: ["v1.0"],
    aliases: { intrabankTransfer: ["transfer/intra-bank", "emoney/transfer"], authPayment: ["debit/auth"] },
    anyRoot: false,
  });
  const faulty = [
    ["intrabankTransfr=a", "there is no operation intrabankTransfr that partners call"],
    ["75=a", "there is no operation 75 that partners call"],
    ["17=transfer-rtgs", '"transfer-rtgs" is the path of rtgsTransfer'],
    ["17=transfer-rtgs/notify", '"transfer-rtgs/notify" is the path of rtgsNotification'],
    ["17=a,18=a", '"a" is the path of intrabankTransfer'],
    ["17=/a", '"/a" is no path such as transfer/intrabank, without a slash at its start or end'],
    ["17=a/", '"a/" is no path such as transfer/intrabank, without a slash at its start or end'],
    ["17=a/../b", '"a/../b" is no path such as transfer/intrabank, without a slash at its start or end'],
    ["17=a b", '"a b" is no path such as transfer/intrabank, without a slash at its start or end'],
    ["17=a/v2.0/b", '"a/v2.0/b" has a segment like a version'],
  ] as const;
  for (const [value, fault] of faulty) {
    assert.deepEqual(faultsOf({ ...production, TITIAN_PATH_ALIASES: value }), [`TITIAN_PATH_ALIASES: ${fault}`], value);
  }
  const [fault = ""] = faultsOf({ ...production, TITIAN_PATH_ALIASES: "17" });
  assert.match(fault, /^TITIAN_PATH_ALIASES must be pairs of an operation and a path, .*, not "17"$/);
});

test("outside the sandbox the secrets and the bank code are required, except for commands that need none", () => {
  const bare = { DATABASE_URL: production.DATABASE_URL };
  assert.deepEqual(
    faultsOf(bare).map((fault) => fault.split(" ")[0]),
    ["DATABASE_URL", "TITIAN_MASTER_KEY", "TITIAN_PROVIDER_KEY", "TITIAN_BANK_CODE"],
  );
  assert.match(faultsOf(bare)[0] ?? "", /TITIAN_SANDBOX=1 makes it the sandbox/);
  assert.doesNotMatch(faultsOf({ ...bare, TITIAN_BANK_CODE: "014" }).join("\n"), /TITIAN_SANDBOX/);
  assert.equal(readConfig(bare, { needsSecrets: false }).masterKeys, undefined);
});

test("master keys are 32 bytes each, and a previous one never stands alone", () => {
  const previous = randomBytes(32);
  const config = readConfig({ ...production, TITIAN_MASTER_KEY_PREVIOUS: previous.toString("base64") });
  assert.deepEqual(config.masterKeys, { current: masterKey, previous });
  assert.match(faultsOf({ TITIAN_MASTER_KEY: randomBytes(16).toString("base64") })[0] ?? "", /32 random bytes/);
  assert.match(faultsOf({ TITIAN_MASTER_KEY_PREVIOUS: previous.toString("base64") })[0] ?? "", /beside it/);
});

test("the provider key is a PEM, a PEM on one line, or a file", () => {
  assert.equal(readConfig(production).providerKey, providerKey);
  const oneLine = { ...production, TITIAN_PROVIDER_KEY: providerKey.replaceAll("\n", "\\n") };
  assert.equal(readConfig(oneLine).providerKey, providerKey);
  const inFile = { ...production, TITIAN_PROVIDER_KEY: "/etc/titian/key.pem" };
  assert.equal(readConfig(inFile, { readText: () => providerKey }).providerKey, providerKey);
});

test("a certificate and its key are files that belong together, and are read by a service alone", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const other = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const files: Record<string, string> = { "c.pem": tlsFiles.cert, "k.pem": tlsFiles.key, "o.pem": other, "x.pem": "-" };
  const readText = (path: string) => files[path] ?? assert.fail("there is none");
  const read = (cert: string, key: string, options = {}) => {
    try {
      return readConfig({ TITIAN_TLS_CERT: cert, TITIAN_TLS_KEY: key }, { readText, ...options }).tls;
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.faults;
    }
  };
  assert.deepEqual(read("c.pem", "k.pem"), tlsFiles);
  const wrongKey = "TITIAN_TLS_KEY must be the file of the private key of TITIAN_TLS_CERT in PEM";
  for (const key of ["o.pem", "x.pem", "none.pem", "c.pem"]) assert.deepEqual(read("c.pem", key), [wrongKey], key);
  assert.deepEqual(read("x.pem", "k.pem"), ["TITIAN_TLS_CERT must be a file with a certificate in PEM, and its chain"]);
  assert.match(String(read("c.pem", "")), /^TITIAN_TLS_CERT and TITIAN_TLS_KEY belong together/);
  assert.equal(read("none.pem", "none.pem", { needsSecrets: false }), undefined);
});

test("host names have no port, and no pattern", () => {
  assert.deepEqual(readConfig({ TITIAN_HOSTS: "api.bank.example, titian" }).hosts, ["api.bank.example", "titian"]);
  for (const names of ["api.bank.example:443", "*.bank.example", "https://api.bank.example", "a,,b"]) {
    assert.match(faultsOf({ TITIAN_HOSTS: names }).join(), /^TITIAN_HOSTS must be host names such as/, names);
  }
});

test("files of rails, holidays and banks are named each for itself", () => {
  const files = { TITIAN_RAILS_FILE: "/etc/titian/rails.json", TITIAN_BANKS_FILE: "banks.json" };
  assert.deepEqual(readConfig(files).railFiles, { rails: "/etc/titian/rails.json", banks: "banks.json" });
  const holidays = { TITIAN_HOLIDAYS_FILE: "holidays.json", TITIAN_RAILS_FILE: "" };
  assert.deepEqual(readConfig(holidays).railFiles, { holidays: "holidays.json" });
});

test("the security log is a file; without its setting there is none", () => {
  assert.equal(readConfig({ TITIAN_SECURITY_LOG: "/var/log/titian.jsonl" }).securityLog, "/var/log/titian.jsonl");
  assert.equal("securityLog" in readConfig(production), false);
});

test("no fault shows the value of a secret", () => {
  const faults = faultsOf({
    DATABASE_URL: "mysql://root:hunter2@host/db",
    TITIAN_MASTER_KEY: "hunter2",
    TITIAN_PROVIDER_KEY: "-----BEGIN PRIVATE KEY-----hunter2",
  });
  assert.ok(faults.length > 0);
  assert.doesNotMatch(faults.join("\n"), /hunter2/);
  const later = faultsOf({ TITIAN_MASTER_KEY: "hunter2", TITIAN_PROVIDER_KEY: "-----BEGIN PRIVATE KEY-----hunter2" });
  assert.equal(later.length, 2);
  assert.doesNotMatch(later.join("\n"), /hunter2/);
});

test("the console has all of its settings or none, secret, over https beyond this machine, and in production alone", () => {
  const settings = {
    TITIAN_CONSOLE_DATABASE_URL: "postgres://titian_console:word@db/titian",
    TITIAN_CONSOLE_URL: "https://console.bank.example/",
    TITIAN_OIDC_ISSUER: "https://login.bank.example",
    TITIAN_OIDC_CLIENT_ID: "titian",
    TITIAN_OIDC_CLIENT_SECRET: "word",
    TITIAN_OIDC_SECOND_FACTOR: "amr:mfa,otp",
  };
  assert.equal(readConfig(production).console, undefined);
  assert.deepEqual(readConfig({ ...production, ...settings }).console, {
    databaseUrl: settings.TITIAN_CONSOLE_DATABASE_URL,
    url: "https://console.bank.example",
    issuer: "https://login.bank.example",
    clientId: "titian",
    clientSecret: "word",
    secondFactor: { claim: "amr", values: ["mfa", "otp"] },
  });
  const { TITIAN_OIDC_ISSUER: _, ...without } = settings;
  const [missing = "", ...more] = faultsOf({ ...production, ...without });
  assert.match(
    missing,
    /^TITIAN_OIDC_ISSUER: the console needs all of TITIAN_CONSOLE_DATABASE_URL, .*, or none of them$/,
  );
  assert.deepEqual(more, []);
  const plain = { TITIAN_OIDC_ISSUER: "http://login.bank.example", TITIAN_CONSOLE_URL: "http://localhost:9090" };
  assert.deepEqual(faultsOf({ ...production, ...settings, ...plain }), [
    "TITIAN_OIDC_ISSUER must begin with https, beyond this machine",
  ]);
  assert.match(faultsOf(settings)[0] ?? "", /a sandbox's console has sessions of its own/);
  const [rule = ""] = faultsOf({ ...production, ...settings, TITIAN_OIDC_SECOND_FACTOR: "mfa" });
  assert.match(rule, /^TITIAN_OIDC_SECOND_FACTOR must be a claim and its values/);
});
