/**
 * A database restored beside a rail's directory: every node of it answers inquiries alone by itself, until an operator has
 * decided on what it forgot and opened the rail. By plain HTTP and commands.
 */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@titian/contract";
import { eventually } from "../../support/black-box/answers.ts";
import { type Caller, createCaller } from "../../support/black-box/caller.ts";
import { productionSettings } from "../../support/black-box/production-partner.ts";
import { interbank } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { startService } from "../../support/black-box/service.ts";
import { startProduction } from "../../support/black-box/start-production.ts";
import { expectCode, statusPath, transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { copyDatabase } from "../../support/database/copy-database.ts";
import { useDatabase } from "../../support/database/database.ts";
import { roleUrlsOf } from "../../support/database/template.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-reconciled-"));
const folder = join(directory, "interbank");
const plain = { TITIAN_SHUTDOWN_DELAY_SECONDS: "0", TITIAN_INTERBANK_WAIT_SECONDS: "1" };
const env = { ...plain, TITIAN_RAIL_DIRECTORY: directory };
const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
stack.defer(() => rmSync(directory, { recursive: true, force: true }));
mkdirSync(folder);
const { beneficiaryBankCode: bankCode, beneficiaryAccountNo: accountNo } =
  operations.externalAccountInquiry.example.request;
const beneficiary = { bankCode, accountNo, name: "Siti Rahayu", currency: "IDR" };
writeFileSync(join(folder, "beneficiaries.jsonl"), `${JSON.stringify(beneficiary)}\n`);

const original = stack.use(await useDatabase());
const production = stack.use(await startProduction(env, original.url));
const [from = "", to = ""] = production.caller.partner.sourceAccounts;
const callerOf = (baseUrl: string) =>
  createCaller({ ...production.served, baseUrl }, production.caller.partner.partnerId, production.agent);
const start = async (database: string, settings: Readonly<Record<string, string>>) => {
  const options = { dataDir: production.dataDir, env: { ...productionSettings(database), ...settings } };
  return stack.use(await startService(options));
};
const linesIn = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith("instructions-"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as { referenceNo: string; sequence: number; idempotencyKey: string });
const statusOf = async (caller: Caller, body: object) => {
  const { partnerReferenceNo } = body as { partnerReferenceNo: string };
  return caller.call(statusPath, { serviceCode: "18", originalPartnerReferenceNo: partnerReferenceNo });
};

expectCode(await production.caller.call(interbank.path, railBody(interbank, from)), "2021800");
await production.service.end("SIGTERM");
const backup = stack.use(await copyDatabase(original.ownerUrl));
const { url, administrationUrl } = roleUrlsOf(backup.url);
const lost = await start(original.url, env);
const forgotten = railBody(interbank, from);
expectCode(await callerOf(lost.baseUrl).call(interbank.path, forgotten), "2021800");
await lost.end("SIGTERM");

test("two nodes, one without the directory: both take no writes until the rail is opened, and then go on; the repeat is carried once", async () => {
  const beside = await start(url, plain);
  const other = callerOf(beside.baseUrl);
  // It cannot know yet.
  expectCode(await other.call(transferPath, transferBody({ from, to })), "2001700");
  const holder = await start(url, env);
  const first = callerOf(holder.baseUrl);
  expectCode(await first.call(transferPath, transferBody({ from, to })), "5031700");
  await eventually(async () => (await other.call(transferPath, transferBody({ from, to }))).code === "5031700");
  for (const caller of [first, other]) assert.equal((await statusOf(caller, forgotten)).status, 500);

  const run = (...args: readonly string[]) =>
    runCli(["rails", ...args], {
      env: { ...productionSettings(url), ...env, TITIAN_ADMIN_DATABASE_URL: administrationUrl },
    });
  const { stdout } = await run("reconcile", "interbank", "--json");
  const [found] = (JSON.parse(stdout) as { differences: readonly { referenceNo: string }[] }).differences;
  const { referenceNo } = found ?? assert.fail(stdout);
  assert.equal((await run("open", "interbank")).exitCode, 1);
  const decided = await run(
    "decide",
    "interbank",
    referenceNo,
    "--not-carried",
    "--reason",
    "the gateway never saw it",
  );
  assert.equal(decided.exitCode, 0, decided.stderr);
  expectCode(await first.call(transferPath, transferBody({ from, to })), "5031700");
  const opened = await run("open", "interbank");
  assert.equal(opened.exitCode, 0, opened.stderr);
  await sleep(2_000);
  for (const caller of [first, other])
    expectCode(await caller.call(transferPath, transferBody({ from, to })), "2001700");
  for (const service of [holder, beside]) {
    assert.match(service.output(), /"level":50.*"event":"service\.inquiries_only"/);
    assert.match(service.output(), /"event":"service\.inquiries_only_ended"/);
  }

  expectCode(await first.call(interbank.path, forgotten), "2021800");
  const lines = linesIn();
  assert.deepEqual(
    lines.map(({ sequence }) => sequence),
    [1, 2, 3],
  );
  assert.equal(lines[2]?.idempotencyKey, lines[1]?.idempotencyKey);
  const result = { referenceNo: lines[2]?.referenceNo, result: "settled" };
  appendFileSync(join(folder, "results", "a.jsonl"), `${JSON.stringify(result)}\n`);
  await eventually(async () => (await statusOf(other, forgotten)).body["latestTransactionStatus"] === "00");

  // A lack in the directory stops its rail alone, and is a warning.
  await holder.end("SIGTERM");
  for (const name of readdirSync(folder).filter((one) => one.startsWith("instructions-"))) rmSync(join(folder, name));
  const { managementUrl = "" } = production.served;
  const behind = await start(url, { ...env, TITIAN_MANAGEMENT_PORT: new URL(managementUrl).port });
  const ready = await fetch(`${managementUrl}/health/ready`);
  const { checks } = (await ready.json()) as { checks: Record<string, unknown> };
  assert.deepEqual([ready.status, checks["mode"], checks["modeReason"]], [200, "normal", null]);
  assert.match(JSON.stringify(checks["stoppedRails"]), /"interbank","because":"the directory is behind: 2 instr/);
  expectCode(await callerOf(behind.baseUrl).call(transferPath, transferBody({ from, to })), "2001700");
});
