/** A restore of the database behind payments that file rails carried, walked command by command: by plain HTTP and `titian`. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath, inquireBulk, numberOf } from "../../support/black-box/bulks.ts";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { productionSettings } from "../../support/black-box/production-partner.ts";
import { interbank, skn } from "../../support/black-box/rails/rail-services.ts";
import { inquire, railBody, untilStatus } from "../../support/black-box/rails/rail-transfers.ts";
import { type Service, startService } from "../../support/black-box/service.ts";
import { startProduction } from "../../support/black-box/start-production.ts";
import { expectCode, idr, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { programFile } from "../../support/cli/program.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { copyDatabase } from "../../support/database/copy-database.ts";
import { useDatabase } from "../../support/database/database.ts";
import { roleUrlsOf } from "../../support/database/template.ts";
import { queryRows } from "../../support/database/with-client.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-adopted-"));
/** The release's rails without their hours: production's clock is the real one. */
const openRails = join(directory, "open-rails.json");
const terms = JSON.parse(
  readFileSync(new URL("../../../packages/server/data/rails.json", import.meta.url), "utf8"),
) as readonly Json[];
writeFileSync(openRails, JSON.stringify(terms.map(({ hours: _, ...open }) => open)));
const env = {
  TITIAN_RAILS_FILE: openRails,
  TITIAN_RAIL_DIRECTORY: directory,
  TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
  TITIAN_INTERBANK_WAIT_SECONDS: "1",
};
const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
stack.defer(() => rmSync(directory, { recursive: true, force: true }));
const original = stack.use(await useDatabase());
const production = stack.use(await startProduction(env, original.url));
const { caller, served } = production;
const [from = "", poor = ""] = caller.partner.sourceAccounts;

/** The next node at the same address, on a database. */
async function startAgain(database: string, ...options: readonly string[]): Promise<Service> {
  const ports = {
    PORT: new URL(served.baseUrl).port,
    TITIAN_MANAGEMENT_PORT: new URL(served.managementUrl ?? "").port,
  };
  const settings = { ...productionSettings(database), ...env, ...ports };
  const script = [programFile, "serve", ...options];
  return stack.use(await startService({ dataDir: production.dataDir, env: settings, script }));
}

const linesIn = (rail: string) =>
  readdirSync(join(directory, rail))
    .filter((name) => name.startsWith("instructions-"))
    .flatMap((name) =>
      readFileSync(join(directory, rail, name), "utf8")
        .split("\n")
        .slice(0, -1),
    )
    .map((line) => JSON.parse(line) as Record<string, string>);
const report = (rail: string, referenceNo: unknown, result: string) =>
  appendFileSync(join(directory, rail, "results", "a.jsonl"), `${JSON.stringify({ referenceNo, result })}\n`);
const balances = (url: string, of: string) =>
  queryRows(url, `select account_no, balance from accounts where account_no ${of} and balance <> 0 order by 1`);

await production.service.end("SIGTERM");
const backup = stack.use(await copyDatabase(original.ownerUrl));
const { url, administrationUrl } = roleUrlsOf(backup.url);
const cli = (...args: readonly string[]) =>
  runCli(args, { env: { ...productionSettings(url), ...env, TITIAN_ADMIN_DATABASE_URL: administrationUrl } });

// All calls from here on are forgotten.
const externalIds: Record<string, string> = { settled: "901", returned: "902", bulk: "903", owed: "904" };
const items = [bulkItem(), bulkItem()];
const bodies: Record<string, Json> = {
  settled: railBody(interbank, from, { additionalInfo: { note: "rent" } }),
  returned: railBody(skn, from, { amount: idr("20000.00") }),
  bulk: bulkBody(from, items),
  owed: railBody(interbank, poor, { amount: idr("12000000.00") }),
};
const paths: Record<string, string> = {
  settled: interbank.path,
  returned: skn.path,
  bulk: bulkPath,
  owed: interbank.path,
};
const send = (name: string, more: Json = {}) =>
  caller.call(paths[name] ?? "", { ...bodies[name], ...more }, { externalId: externalIds[name] ?? "" });

const lost = await startAgain(original.url);
// With this the payer can pay; the restored ledger does not have it.
expectCode(await caller.call(transferPath, transferBody({ from, to: poor, value: "9000000.00" })), "2001700");
const first: Record<string, Answer> = {};
for (const name of Object.keys(bodies)) first[name] = await send(name);
const numberIn = (name: string) => first[name]?.body["referenceNo"];
const itemOf = (position: number) =>
  linesIn("interbank").find((line) => line["partnerReferenceNo"] === numberOf(items[position]))?.["referenceNo"];
await eventually(async () => linesIn("interbank").length === 4 && linesIn("skn").length === 1);
report("interbank", numberIn("settled"), "settled");
report("interbank", itemOf(0), "settled");
report("skn", numberIn("returned"), "settled");
report("skn", numberIn("returned"), "returned");
await untilStatus(caller, skn, first["returned"] as Answer, "04");
await untilStatus(caller, interbank, first["settled"] as Answer, "00");
await lost.end("SIGTERM");

const lines = [linesIn("interbank"), linesIn("skn")];
const reason = "base backup of 24 November";

test("lines are adopted beside a node that answers repeats 503; a payer without the funds owes it", async () => {
  const waiting = await startAgain(url, "--inquiries-only");
  const repeatAll = () => Promise.all(Object.keys(bodies).map((name) => send(name)));
  for (const { code } of await repeatAll()) assert.match(code, /^503/);
  for (const rail of ["interbank", "skn"]) assert.equal((await cli("rails", "reconcile", rail)).exitCode, 1);

  const one = await cli("rails", "adopt", "interbank", String(itemOf(0)), "--reason", reason);
  assert.equal(one.exitCode, 0, one.stderr);
  assert.match(one.stdout, /written back, and its payer debited/);
  assert.match(one.stdout, /Adopted: 2, of them owed: 0\. Refused: 0\./);
  const all = await cli("rails", "adopt", "interbank", "--all", "--reason", reason);
  assert.equal(all.exitCode, 0, all.stderr);
  assert.match(all.stdout, /Adopted: 2, of them owed: 1\. Refused: 0\./);
  const rest = await cli("rails", "adopt", "skn", "--all", "--reason", reason);
  assert.match(rest.stdout, /Adopted: 1, of them owed: 0\./);
  const again = await cli("rails", "adopt", "skn", "--all", "--reason", reason);
  assert.match(again.stdout, /Adopted: 0, of them owed: 0\. Refused: 0\./);
  const owed = JSON.parse((await cli("rails", "owed", "interbank", "--json")).stdout) as { owed: readonly Json[] };
  assert.deepEqual(
    owed.owed.map(({ at: _, ...known }) => known),
    [
      {
        referenceNo: numberIn("owed"),
        partnerId: caller.partner.partnerId,
        rail: "interbank",
        payerAccountNo: poor,
        currency: "IDR",
        amount: "12002500.00",
        reason,
      },
    ],
  );
  for (const { code } of await repeatAll()) assert.match(code, /^503/);
  await waiting.end("SIGTERM");
});

test("the rail is opened: repeats get what became of the payments, nothing has a second line, and the books agree", async () => {
  for (const rail of ["interbank", "skn"]) {
    const opened = await cli("rails", "open", rail);
    assert.equal(opened.exitCode, 0, opened.stderr + opened.stdout);
  }
  const node = await startAgain(url);
  await untilStatus(caller, skn, first["returned"] as Answer, "04");
  await untilStatus(caller, interbank, first["settled"] as Answer, "00");
  const bulkId = first["bulk"]?.body["bulkId"];
  await eventually(
    async () =>
      (await inquireBulk(caller, { originalReferenceNo: bulkId })).body["transactionStatusDesc"] === "Settled 1 of 2",
  );
  assert.deepEqual((await inquire(caller, interbank, first["settled"] as Answer)).body["sourceAccountNo"], from);
  const outcomes = { settled: "00", returned: "04", bulk: "03", owed: "03" };
  for (const [name, status] of Object.entries(outcomes)) {
    const repeat = await send(name);
    assert.match(repeat.code, /^409\d\d00$/, repeat.text);
    assert.equal((repeat.body["additionalInfo"] as Json)["latestTransactionStatus"], status, repeat.text);
  }
  const other = { ...bodies["settled"], amount: idr("1.00") };
  expectCode(await caller.call(interbank.path, other), "4041818");
  expectCode(await caller.call(interbank.path, railBody(interbank, from)), "2021800");
  assert.deepEqual(linesIn("interbank").slice(0, 4), lines[0]);
  assert.deepEqual(linesIn("skn"), lines[1]);
  await eventually(async () => linesIn("interbank").length === 5);
  await node.end("SIGTERM");

  const ours = `similar to '(clearing|fee|restored)%'`;
  const withRestored = [
    ...(await balances(original.ownerUrl, ours)),
    { account_no: "restored:IDR", balance: "-1200250000" },
  ];
  assert.deepEqual(await balances(backup.url, ours), withRestored);
  const audit = await cli("audit", "--full");
  assert.equal(audit.exitCode, 0, audit.stdout + audit.stderr);
});
