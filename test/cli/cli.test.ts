/** The commands at their boundary, as far as they need no service. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { placesOf } from "../../packages/cli/src/completion/command-tree.ts";
import { createProgram } from "../../packages/cli/src/program.ts";
import { runCli, spawnCli } from "../support/cli/run-cli.ts";
import { writeSandboxFile } from "../support/cli/sandbox-json.ts";

describe("titian", { concurrency: 2 }, () => {
  test("explains itself, and each of its commands", async () => {
    const top = await spawnCli(["--help"]);
    assert.equal(top.exitCode, 0);
    for (const command of [
      "serve",
      "migrate",
      "audit",
      "call",
      "sandbox",
      "keys",
      "partner",
      "account",
      "merchant",
      "hold",
      "payment-request",
    ]) {
      assert.match(top.stdout, new RegExp(`^  ${command}\\b`, "m"));
    }
    const call = await runCli(["call", "--help"]);
    assert.match(call.stdout, /17 +intrabankTransfer +transfer-intrabank/);
    assert.match(call.stdout, /Examples:/);
  });

  const wrongLines: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["a command that does not exist", ["cal"], /Did you mean call\?/],
    ["no command", [], /Usage: titian/],
    ["more sessions than an audit has", ["audit", "--sessions", "9"], /--sessions is 9: give a number from 1 to 8/],
    ["an option that does not exist", ["call", "17", "--fields", "a=b"], /--field/],
    ["an operation that does not exist", ["call", "intrabankTransfr"], /Did you mean intrabankTransfer\?/],
    ["an operation that partners do not call", ["call", "21"], /sent by the service to its partners/],
    ["an assignment that is none", ["call", "15", "--field", "beneficiaryAccountNo"], /name=value/],
    ["JSON that is none", ["call", "17", "--json", "-"], /Standard input is not JSON/],
    ["a token without a dry run", ["call", "15", "--access-token", "x"], /--dry-run/],
    ["no database", ["migrate"], /DATABASE_URL is not set/],
  ];
  for (const [name, args, message] of wrongLines) {
    test(`exits with 2 and says what to do: ${name}`, async () => {
      const { exitCode, stderr, stdout } = await runCli(args, { input: "{" });
      assert.equal(exitCode, 2, stderr);
      assert.match(stderr, message);
      assert.equal(stdout, "");
    });
  }

  test("names every setting that cannot be used", async () => {
    const { exitCode, stderr } = await spawnCli(["serve"], { env: { PORT: "eighty", TITIAN_LOG_LEVEL: "loud" } });
    assert.equal(exitCode, 2);
    assert.match(stderr, /PORT must be a port number/);
    assert.match(stderr, /TITIAN_LOG_LEVEL must be/);
  });

  test("says that a database is down, where, and what to do", async () => {
    const env = { DATABASE_URL: "postgres://titian:hunter2secret@127.0.0.1:9/titian" };
    const { exitCode, stderr } = await spawnCli(["migrate"], { env });
    assert.equal(exitCode, 1);
    assert.match(stderr, /PostgreSQL does not respond at 127\.0\.0\.1:9 .*DATABASE_URL/s);
    assert.doesNotMatch(stderr, /hunter2secret|\n +at /);
  });

  test("says that no sandbox runs", async () => {
    const { exitCode, stderr } = await runCli(["call", "15"], { env: { TITIAN_DATA_DIR: "/nowhere" } });
    assert.equal(exitCode, 1);
    assert.match(stderr, /\/nowhere\/sandbox\.json cannot be read.*npm start/s);
  });
});

test("a command finds the embedded database of a service for production, or says that there is none", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "titian-embedded-"));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const production = {
    TITIAN_SANDBOX: "0",
    TITIAN_ALLOW_EMBEDDED_DATABASE: "1",
    TITIAN_MASTER_KEY: "A".repeat(43) + "=",
  };
  const env = { ...production, TITIAN_DATA_DIR: dataDir };
  assert.match(
    (await runCli(["account", "list"], { env })).stderr,
    /There is no embedded database in .+ yet: titian serve/,
  );
  // As the first start leaves it; port 1 is nobody's.
  writeFileSync(join(dataDir, "postgres.json"), JSON.stringify({ id: "1", home: "postgres", password: "p", port: 1 }));
  for (const command of [["account", "list"], ["audit"], ["database", "partitions"]]) {
    assert.match(
      (await runCli(command, { env })).stderr,
      /PostgreSQL does not respond at 127\.0\.0\.1:1 /,
      command.join(" "),
    );
  }
});

test("titian call <operation> --help shows the fields of the operation", async () => {
  const operation = await runCli(["call", "rtgsTransfer", "--help"]);
  assert.match(operation.stdout, /^rtgsTransfer \(22\): /m);
  assert.match(operation.stdout, /^ +partnerReferenceNo +mandatory +text to 64 +Partner's number .*idempotency key/m);
  assert.match(
    operation.stdout,
    /^ +originatorInfos\[\]\.originatorBankCode +mandatory +text to 11 +Bank .*BIC-11\.$/m,
  );
  assert.match(operation.stdout, /^ +feeType +optional +OUR \| BEN \| SHA \| 1000 /m);
});

test("every command that lists has --json", async () => {
  const program = await createProgram(() => undefined);
  const places = placesOf(program);
  const lists = places.filter(({ path }) => / (list|entries|payers|partitions|set-aside|owed)$/.test(path));
  assert.ok(lists.length >= 14, String(lists.length));
  const without = lists.filter(({ options }) => !options.some(({ text }) => text === "--json"));
  assert.deepEqual(
    without.map(({ path }) => path),
    [],
  );
});

test("a hint names the data directory that the command was given", async () => {
  const directory = mkdtempSync(join(tmpdir(), "titian it's "));
  const { stderrAsTyped } = await runCli(["account", "list"], { env: { TITIAN_DATA_DIR: directory } });
  rmSync(directory, { recursive: true });
  assert.ok(
    stderrAsTyped.includes(`\`TITIAN_DATA_DIR='${directory.replace("'", String.raw`'\''`)}' npm start\``),
    stderrAsTyped,
  );
});

test("titian completion prints scripts that know commands, options, choices and the alias of rails", async () => {
  const scriptFor = async (shell: string) => {
    const { exitCode, stdout, stderr } = await runCli(["completion", shell]);
    assert.equal(exitCode, 0, stderr);
    return stdout;
  };
  const script = `${await scriptFor("bash")}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_titian
echo "\${COMPREPLY[*]}"`;
  const offered = (...words: readonly string[]) =>
    execFileSync("bash", ["-c", script, "bash", "titian", ...words], { encoding: "utf8" }).trim();
  assert.equal(offered("san"), "sandbox");
  assert.equal(offered("sandbox", "clock", ""), "show advance to help");
  assert.equal(offered("rail", "slow", ""), "interbank rtgs skn");
  assert.equal(offered("rails", "slow", "--js"), "--json");
  assert.equal(offered("call", "17", "--fi"), "--field");
  assert.equal(offered("explain", ""), "");
  assert.match(
    await scriptFor("zsh"),
    /^ {4}' sandbox clock'\) names=\('show:.*' 'advance:move the time forward by so much' /m,
  );
  assert.match(
    await scriptFor("fish"),
    /^complete -c titian -n '__titian_at " sandbox clock"' -f -a 'advance' -d 'move the time forward by so much'$/m,
  );
  const { exitCode, stderr } = await runCli(["completion", "tcsh"]);
  assert.equal(exitCode, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});

test("titian keys new makes a key pair for its owner alone and never overwrites one", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "titian-keys-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const out = join(directory, "shop");
  const made = await spawnCli(["keys", "new", "--out", out]);
  assert.equal(made.exitCode, 0, made.stderr);

  const privatePem = readFileSync(join(out, "private-key.pem"), "utf8");
  const publicPem = readFileSync(join(out, "public-key.pem"), "utf8");
  assert.equal(createPrivateKey(privatePem).asymmetricKeyDetails?.modulusLength, 2_048);
  assert.equal(createPublicKey(privatePem).export({ type: "spki", format: "pem" }), publicPem);
  for (const name of ["private-key.pem", "public-key.pem"]) {
    assert.equal(statSync(join(out, name)).mode & 0o777, 0o600);
  }
  assert.ok(made.stdout.includes(publicPem.trim()));
  assert.doesNotMatch(made.stdout + made.stderr, /PRIVATE KEY/);

  writeFileSync(join(directory, "call.http"), "POST /v1.0/transfer-intrabank HTTP/1.1\r\n\r\n{}");
  const options = ["--public-key", join(out, "private-key.pem")];
  const explained = await runCli(["explain", join(directory, "call.http"), ...options]);
  assert.equal(explained.exitCode, 2);
  assert.match(explained.stderr, /private-key\.pem holds a private key, which never leaves its owner: .* as leaked/);

  const again = await runCli(["keys", "new", "--out", out]);
  assert.equal(again.exitCode, 1);
  assert.match(again.stderr, /private-key\.pem exists.*--out/s);
  assert.equal(readFileSync(join(out, "private-key.pem"), "utf8"), privatePem);
});

test("titian provider-key show prints the public halves of both keys, each with its id", async () => {
  const pairs = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2_048 }));
  const [now = "", next = ""] = pairs.map(({ privateKey }) => privateKey.export({ type: "pkcs8", format: "pem" }));
  const env = { TITIAN_PROVIDER_KEY: String(now), TITIAN_PROVIDER_KEY_NEXT: String(next) };
  const { stdout, exitCode } = await runCli(["provider-key", "show", "--json"], { env });
  const hashes = pairs.map(({ publicKey }) =>
    createHash("sha256")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest("hex"),
  );
  const keys = pairs.map(({ publicKey }, index) => ({
    use: index === 0 ? "signs now" : "next",
    id: hashes[index]?.slice(0, 16),
    sha256: hashes[index],
    publicKey: publicKey.export({ type: "spki", format: "pem" }),
  }));
  assert.deepEqual([exitCode, JSON.parse(stdout)], [0, { keys }]);
  const swapped = await runCli(["provider-key", "show", "--json"], {
    env: { ...env, TITIAN_PROVIDER_KEY: String(next) },
  });
  assert.equal(JSON.parse(swapped.stdout).keys.length, 1);
  const shown = await runCli(["provider-key", "show"], { env });
  assert.match(
    shown.stdout,
    new RegExp(`^signs now  ${keys[0]?.id}\n-----BEGIN PUBLIC KEY.*^next  ${keys[1]?.id}\n`, "ms"),
  );
  assert.doesNotMatch(shown.stdout + shown.stderr, /PRIVATE KEY/);
  const keyless = await runCli(["provider-key", "show"], { env: { DATABASE_URL: "postgres://app@localhost/titian" } });
  assert.deepEqual([keyless.exitCode, /TITIAN_PROVIDER_KEY is not set/.test(keyless.stderr)], [2, true]);
});

test("titian sandbox credentials hides secrets until asked", async () => {
  using sandbox = writeSandboxFile();
  const env = { TITIAN_DATA_DIR: sandbox.dataDir };
  const secrets = [sandbox.clientSecret, "PRIVATE KEY", "the-control-token", "postgres://"];

  const tables = await runCli(["sandbox", "credentials"], { env });
  assert.equal(tables.exitCode, 0, tables.stderr);
  assert.match(tables.stdout, /shop +key-of-shop +95221 +symmetric +1000000001 +M-1/);
  assert.match(tables.stdout, /1000000001 +Siti Nur Aini +IDR +active +S/);
  const json = await runCli(["sandbox", "credentials", "--json"], { env });
  assert.equal(JSON.parse(json.stdout).partners[1].partnerId, "bank");
  for (const secret of secrets) assert.ok(!(tables.stdout + tables.stderr + json.stdout).includes(secret), secret);

  const open = await runCli(["sandbox", "credentials", "--show-secrets"], { env });
  const openJson = await runCli(["sandbox", "credentials", "--show-secrets", "--json"], { env });
  for (const secret of secrets) {
    assert.ok(open.stdout.includes(secret), secret);
    assert.ok(openJson.stdout.includes(secret), secret);
  }
});
