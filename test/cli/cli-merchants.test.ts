/** `titian merchant` on a database, with no service running. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type TestDatabase, useDatabase } from "../support/database/database.ts";
import { newPublicKey } from "../support/partners.ts";
import { runCli } from "../support/cli/run-cli.ts";

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
const workDir = mkdtempSync(join(tmpdir(), "titian-merchants-"));

/** Runs a command that must be carried out; returns what it printed. */
async function titian(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(args, { env });
  assert.equal(exitCode, 0, `titian ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const open = (accountNo: string, currency: string) =>
  titian("account", "open", "--name", "Holder", "--account-no", accountNo, "--currency", currency);

before(async () => {
  database = await useDatabase();
  const secret = randomBytes(32).toString("base64");
  env = { TITIAN_ADMIN_DATABASE_URL: database.administrationUrl, TITIAN_MASTER_KEY: secret, TITIAN_SANDBOX: "0" };
  for (const partnerId of ["SHOP01", "BARE"]) {
    const keyFile = join(workDir, `${partnerId}.pem`);
    writeFileSync(keyFile, newPublicKey());
    await titian("partner", "add", partnerId, "--name", partnerId, "--public-key", keyFile);
  }
  for (const accountNo of ["7000000001", "7000000002"]) await open(accountNo, "IDR");
  await open("7000000003", "JPY");
});

after(async () => {
  await database.drop();
  rmSync(workDir, { recursive: true });
});

/** Cells of a merchant's line behind its id and partner. */
async function listed(merchantId: string): Promise<string> {
  const lines = (await titian("merchant", "list", "--partner", "SHOP01")).split("\n");
  const line = lines.find((text) => text.startsWith(`${merchantId} `)) ?? "";
  return line.replaceAll(/ {2,}/g, " | ");
}

const onFuel = (verb: string, ...options: readonly string[]) =>
  titian("merchant", verb, "FUEL-7", "--partner", "SHOP01", ...options);

test("a merchant is added, changed term by term, suspended, resumed, and listed as it is", async () => {
  const terms = [
    "--payer-account",
    "7000000002",
    "--default-hold",
    "300000.00",
    "--hold-for",
    "36h",
    "--refund-days",
    "90",
  ];
  const needs = ["--name", "SPBU 7", "--settlement-account", "7000000001", "--customer-token", "required"];
  assert.equal(await onFuel("add", ...needs, ...terms), "Registered merchant FUEL-7 of SHOP01.\n");
  assert.equal(await onFuel("add", ...needs, ...terms), "Registered merchant FUEL-7 of SHOP01.\n");
  const full = "FUEL-7 | SHOP01 | SPBU 7 | active | 7000000001 | 7000000002 | 300,000.00 | 36h | 90d | required";
  assert.equal(await listed("FUEL-7"), full);

  const change = [
    "--default-hold",
    "250000",
    "--hold-for",
    "90s",
    "--refund-days",
    "30",
    "--customer-token",
    "optional",
  ];
  assert.equal(await onFuel("change", ...change, "--name", "SPBU 8"), "Changed merchant FUEL-7 of SHOP01.\n");
  assert.equal(
    await listed("FUEL-7"),
    "FUEL-7 | SHOP01 | SPBU 8 | active | 7000000001 | 7000000002 | 250,000.00 | 90s | 30d | optional",
  );
  await onFuel("change", "--no-payer-account", "--settlement-account", "7000000003", "--default-hold", "500");
  assert.equal(await onFuel("suspend"), "FUEL-7 of SHOP01 is suspended.\n");
  const table = await titian("merchant", "list");
  assert.match(table, /^FUEL-7 +SHOP01 +SPBU 8 +suspended +7000000003 +500 +90s +30d +optional$/m);
  for (const verb of ["resume", "activate"]) assert.equal(await onFuel(verb), "FUEL-7 of SHOP01 is active.\n");
  await onFuel("change", "--no-default-hold");
  assert.equal(await listed("FUEL-7"), "FUEL-7 | SHOP01 | SPBU 8 | active | 7000000003 | 90s | 30d | optional");
});

test("a merchant of few words has the house's terms, and other partners' merchants are not listed with it", async () => {
  await titian(
    "merchant",
    "add",
    "KIOSK",
    "--partner",
    "SHOP01",
    "--name",
    "Kiosk",
    "--settlement-account",
    "7000000001",
  );
  assert.equal(await listed("KIOSK"), "KIOSK | SHOP01 | Kiosk | active | 7000000001 | 7d | 365d | optional");
  assert.doesNotMatch(await titian("merchant", "list", "--partner", "BARE"), /KIOSK/);
  const page = await runCli(["merchant", "list", "--limit", "1"], { env });
  assert.match(page.stdout, /FUEL-7/);
  assert.doesNotMatch(page.stdout, /KIOSK/);
  assert.match(page.stderr, /More: titian merchant list --partner SHOP01 --after FUEL-7$/m);
  const rest = await titian("merchant", "list", "--partner", "SHOP01", "--after", "FUEL-7");
  assert.deepEqual([rest.includes("FUEL-7"), rest.includes("KIOSK")], [false, true]);
});

const wrong: readonly (readonly [string, number, RegExp])[] = [
  ["change KIOSK --partner SHOP01", 2, /Nothing to change was given/],
  ["change KIOSK --partner SHOP01 --hold-for 7", 2, /--hold-for 7 is not a duration/],
  ["change KIOSK --partner SHOP01 --hold-for 91d", 2, /a minute to 90 days/],
  ["change KIOSK --partner SHOP01 --refund-days 29", 2, /30 to 1,825 whole days/],
  ["change KIOSK --partner SHOP01 --refund-days year", 2, /refundDays must be .*30 to 1825/],
  ["change KIOSK --partner SHOP01 --default-hold 1.234", 2, /at most 2 decimals/],
  ["change KIOSK --partner SHOP01 --settlement-account 404", 1, /no account 404/],
  ["change KIOSK --partner SHOP01 --payer-account 7000000003", 2, /different currencies/],
  ["change KIOSK --partner SHOP01 --payer-account 7000000001", 2, /Payer and settlement account are the same/],
  [
    "add TWIN --partner SHOP01 --name Twin --settlement-account 7000000002 --payer-account 7000000002",
    2,
    /Payer and settlement account are the same: every payment without a payer would be rejected/,
  ],
  ["change KIOSK --partner SHOP01 --customer-token always", 2, /Allowed choices are required, optional/],
  ["change KIOSK --partner BARE --hold-for 1d", 1, /BARE has no merchant KIOSK: titian merchant list/],
  ["suspend KIOSK --partner BARE", 1, /The partner has no such merchant/],
  ["suspend KIOSK --partner NOBODY", 1, /There is no such partner/],
  ["suspend KIOSK", 2, /--partner/],
  ["list --after FUEL-7", 2, /--after needs --partner/],
  ["list --partner NOBODY", 1, /no partner NOBODY: titian partner list/],
];
for (const [line, expected, message] of wrong) {
  test(`titian merchant ${line}: is rejected with the reason`, async () => {
    const { exitCode, stderr, stdout } = await runCli(["merchant", ...line.split(" ")], { env });
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}
