/** The commands against a running sandbox: calls, credentials, onboarding, the audit. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readSandboxFile, type SandboxFile } from "../../../packages/cli/src/sandbox/sandbox-file.ts";
import { type Sandbox, startSandbox } from "../../support/black-box/start-sandbox.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { type CliRun, runCli, spawnCli } from "../../support/cli/run-cli.ts";
import { runStatements } from "../../support/database/with-client.ts";

let sandbox: Sandbox;
let file: SandboxFile;
const workDir = mkdtempSync(join(tmpdir(), "titian-cli-"));

before(async () => {
  sandbox = await startSandbox();
  file = readSandboxFile(join(sandbox.dataDir, "sandbox.json"));
});

after(async () => {
  await sandbox[Symbol.asyncDispose]();
  rmSync(workDir, { recursive: true });
});

/** A command line whose parts hold no space. */
function run(line: string): Promise<CliRun> {
  return runCli(line.split(" "), { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
}

function transferLine({ value = "1000.00", from = "1001000001" } = {}): string {
  const fields = `sourceAccountNo=${from} beneficiaryAccountNo=1009000001 amount.value=${value} amount.currency=IDR`;
  return `call 17 ${fields.replaceAll(/(?<= |^)/g, "-f ")}`;
}

/** The running service learns of a partner that was onboarded beside it within 2 s. */
async function payWhenKnown(line: string): Promise<CliRun> {
  let paid = await run(line);
  await eventually(async () => {
    if (!paid.stderr.includes("[Unknown client]")) return true;
    paid = await run(line);
    return false;
  });
  return paid;
}

/** The file with something else in its first partner. */
function writeChangedFile(name: string, partner: Partial<SandboxFile["partners"][number]>): string {
  const [first, ...others] = file.partners;
  const path = join(workDir, name);
  writeFileSync(path, JSON.stringify({ ...file, partners: [{ ...first, ...partner }, ...others] }));
  return path;
}

describe("titian call", () => {
  test("prints the response as JSON, the request beside it, and no whole token", async () => {
    const { exitCode, stdout, stderr } = await run("call account-inquiry-internal -f beneficiaryAccountNo=1009000001");
    assert.equal(exitCode, 0, stderr);
    assert.equal(JSON.parse(stdout).beneficiaryAccountName, "Ahmad Fauzi");
    assert.match(stderr, /^POST http:\/\/127\.0\.0\.1:\d+\/v1\.0\/account-inquiry-internal$/m);
    assert.match(stderr, /^Authorization: Bearer .{10}… \(\d+ characters\)$/m);
    assert.match(stderr, /^-> HTTP 200 \(\d+ ms\), X-CORRELATION-ID [0-9a-f]{16}$/m);
  });

  for (const partnerId of ["beta", "gamma"]) {
    test(`signs as the partner ${partnerId} does`, async () => {
      const line = `call 15 -f beneficiaryAccountNo=1009000001 --partner ${partnerId}`;
      const { exitCode, stderr } = await run(line);
      assert.equal(exitCode, 0, stderr);
    });
  }

  test("gets a token when that is the call", async () => {
    const { stdout } = await run("call accessTokenB2b");
    assert.equal(JSON.parse(stdout).expiresIn, "900");
  });

  test("moves money once, and tells a repeat what became of it", async () => {
    const first = await run(`${transferLine()} --external-id cli-1`);
    assert.equal(first.exitCode, 0, first.stderr);
    const { partnerReferenceNo, referenceNo, transactionDate } = JSON.parse(first.stdout);
    const again = `--external-id cli-1 -f partnerReferenceNo=${partnerReferenceNo} -f transactionDate=${transactionDate}`;
    const repeat = await run(`${transferLine()} ${again}`);
    assert.equal(repeat.exitCode, 1);
    const { responseCode, additionalInfo } = JSON.parse(repeat.stdout);
    assert.equal(responseCode, "4091700");
    assert.equal(additionalInfo.originalResponse.referenceNo, referenceNo);
    assert.match(repeat.stderr, /X-EXTERNAL-ID was used before/);
    const status = await run(`call 36 -f serviceCode=17 -f originalReferenceNo=${referenceNo}`);
    assert.equal(JSON.parse(status.stdout).latestTransactionStatus, "00");
  });

  const rejections: readonly (readonly [string, string, RegExp])[] = [
    ["no money", transferLine({ from: "1001000005" }), /Insufficient Funds.*titian account open/s],
    ["another partner's account", transferLine({ from: "1002000001" }), /alpha may debit 1001000001/],
    ["a field missing", "call 17 --no-fill -f amount.value=1.00", /needs partnerReferenceNo.*Give it: --field/s],
    ["a field malformed", transferLine({ value: "ten" }), /amount\.value has an invalid format/],
  ];
  for (const [name, line, advice] of rejections) {
    test(`says what to do: ${name}`, async () => {
      const { exitCode, stdout, stderr } = await run(line);
      assert.equal(exitCode, 1, stderr);
      assert.match(JSON.parse(stdout).responseCode, /^4\d{6}$/);
      assert.match(stderr, advice);
    });
  }

  test("shows the string it signed when the service finds the signature wrong", async () => {
    const path = writeChangedFile("wrong-secret.json", { clientSecret: "not-the-secret-of-alpha" });
    const { exitCode, stderr } = await run(`${transferLine()} --sandbox-file ${path}`);
    assert.equal(exitCode, 1);
    assert.match(stderr, /\[Signature\]/);
    assert.match(stderr, /^POST:\/v1\.0\/transfer-intrabank:.{10}… \(\d+ characters\):[0-9a-f]{64}:\d{4}-/m);
  });

  test("says so when there is no token, and shows what was signed for one", async () => {
    const path = writeChangedFile("wrong-key.json", { privateKey: file.partners[1]?.privateKey ?? "" });
    const { exitCode, stderr } = await run(`${transferLine()} --sandbox-file ${path}`);
    assert.equal(exitCode, 1);
    assert.match(stderr, /No access token for the call/);
    assert.match(stderr, /^alpha\|\d{4}-/m);
  });
});

test("titian sandbox credentials lists what the sandbox has", async () => {
  const { exitCode, stdout, stderr } = await run("sandbox credentials");
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /^gamma +gamma +95231 +asymmetric/m);
  assert.match(stdout, /^1009000003 +PT Bahari Abadi/m);
  assert.match(stdout, /^014 +8800000016 +rejected +403xx05$/m);
});

test("a partner is onboarded with an account and a merchant, calls, and is suspended", async () => {
  const keys = join(workDir, "shop");
  assert.equal((await run(`keys new --out ${keys}`)).exitCode, 0);
  const added = await run(`partner add SHOP01 --name Shop --public-key ${keys}/public-key.pem --services 15,17`);
  assert.equal(added.exitCode, 0, added.stderr);
  const clientSecret = /^client secret +(\S+)$/m.exec(added.stdout)?.[1] ?? "";
  const opened = await run("account open --name Siti --balance 5000.00 --partner SHOP01 --account-no 7000000001");
  assert.match(opened.stdout, /^7000000001 +Siti +IDR +S +active +5,000\.00 +5,000\.00$/m);
  const merchant =
    "merchant add FUEL-7 --partner SHOP01 --name Fuel --settlement-account 7000000001 --default-hold 300.00";
  assert.equal((await run(merchant)).exitCode, 0);

  const privateKey = readFileSync(join(keys, "private-key.pem"), "utf8");
  const shop = { partnerId: "SHOP01", clientKey: "SHOP01", channelId: "95221", clientSecret, privateKey };
  const path = writeChangedFile("shop.json", shop);
  const paid = await payWhenKnown(`${transferLine({ from: "7000000001" })} --sandbox-file ${path}`);
  assert.equal(paid.exitCode, 0, paid.stderr);
  const other = await run(`call 36 -f serviceCode=17 -f originalExternalId=x --sandbox-file ${path}`);
  assert.match(other.stderr, /may not use this service/);

  assert.match((await run("account list --after 6 --limit 1")).stdout, /^7000000001 .*4,000\.00$/m);
  assert.equal((await run("partner suspend SHOP01")).exitCode, 0);
  assert.match((await run("partner list")).stdout, /^SHOP01 +Shop +suspended.* 50\/s,100$/m);
  assert.equal((await run("partner change SHOP01 --rate-limit none")).exitCode, 0);
  const listed = (await run("partner list")).stdout;
  assert.deepEqual(
    [/^SHOP01 .* none$/m, /^alpha .* none$/m].map((line) => line.test(listed)),
    [true, true],
    listed,
  );
  assert.match((await run("partner change SHOP01 --rate-limit 50")).stderr, /50\/s,100; or none/);
  const blocked = await run("account status 7000000001 blocked");
  assert.match(blocked.stdout, /^7000000001 .*blocked/m);
});

test("onboarding rejects invalid input with the reason", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["partner suspend NOBODY", /There is no such partner/],
    ["account open --name X --partner NOBODY", /no partner NOBODY: titian partner list/],
    ["account open --name X --balance 1.234", /at most 2 decimals/],
    ["account status 404 blocked", /no account 404: titian account list/],
    ["account status 1001000001 asleep", /Allowed choices are active, dormant, blocked, closed/],
    ["partner add X --name X --public-key /nowhere", /--public-key \/nowhere cannot be read/],
    ["merchant add M --partner alpha --name M --settlement-account 404", /no account 404/],
  ];
  for (const [line, message] of cases) {
    const { exitCode, stderr } = await run(line);
    assert.notEqual(exitCode, 0, line);
    assert.match(stderr, message);
  }
});

test("a second service on the same port says that the port is taken, before it makes anything", async () => {
  const env = { PORT: new URL(file.baseUrl).port, TITIAN_DATA_DIR: join(workDir, "second") };
  const { exitCode, stderr, stdout } = await spawnCli(["serve"], { env });
  assert.equal(exitCode, 1);
  assert.match(stderr, /127\.0\.0\.1:\d+ is in use by another program.*PORT=/s);
  assert.equal(stdout, "");
});

test("titian migrate says that nothing was left to do, and that a role is missing", async () => {
  const env = { DATABASE_URL: sandbox.ownerUrl ?? assert.fail() };
  const done = await runCli(["migrate"], { env });
  assert.equal(done.exitCode, 0, done.stderr);
  assert.match(done.stdout, /schema was up to date/);
  const roleless = await runCli(["migrate", "--application-role", "nobody_here"], { env });
  assert.equal(roleless.exitCode, 1);
  assert.match(roleless.stderr, /nobody_here.*create role/s);
});

test("titian audit finds nothing wrong, and everything that is", async () => {
  const clean = await run("audit");
  assert.equal(clean.exitCode, 0, clean.stderr);
  assert.match(clean.stdout, /^Clean/);
  assert.match(clean.stderr, /entries: \d+ checked/);

  await runStatements(sandbox.ownerUrl ?? assert.fail(), [
    "set session_replication_role = replica",
    "update accounts set balance = balance + 1 where account_no = '1009000003'",
  ]);
  const spoiled = await runCli(["audit", "--full"], { env: { DATABASE_URL: file.databaseUrl } });
  assert.equal(spoiled.exitCode, 1, spoiled.stderr);
  assert.match(spoiled.stdout, /^accountMatchesEntries +1009000003 /m);
  const json = await runCli(["audit", "--full", "--json"], { env: { DATABASE_URL: file.databaseUrl } });
  assert.equal(JSON.parse(json.stdout).ok, false);
});
