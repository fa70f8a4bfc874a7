/** A node that answers inquiries alone, on a restored database: what it takes, tells, changes and runs. By plain HTTP. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operationRows, operations } from "@titian/contract";
import { eventually, unknownNumber } from "../support/black-box/answers.ts";
import { type Answer, createCaller, type Json, newNumber } from "../support/black-box/caller.ts";
import { captureBody, paths, paymentBody, voidBody } from "../support/black-box/payments/hold-bodies.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { interbank } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { type Service, startService } from "../support/black-box/service.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode, idr, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { programFile } from "../support/cli/program.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-inquiries-only-"));
const railFolder = join(directory, "interbank");
const env = {
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
const [from = "", to = ""] = caller.partner.sourceAccounts;
const merchantId = caller.partner.merchants[0] ?? "";

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

const { beneficiaryBankCode: bankCode, beneficiaryAccountNo: accountNo } =
  operations.externalAccountInquiry.example.request;
const beneficiary = { bankCode, accountNo, name: "Siti Rahayu", currency: "IDR" };
writeFileSync(join(railFolder, "beneficiaries.jsonl"), `${JSON.stringify(beneficiary)}\n`);

const call = (path: string, body: Json) => caller.call(path, body);
const report = (answer: Answer) => {
  const line = { referenceNo: answer.body["referenceNo"], result: "settled" };
  appendFileSync(join(railFolder, "results", "a.jsonl"), `${JSON.stringify(line)}\n`);
};
const statusOf = (serviceCode: string, body: Json) =>
  call(statusPath, { serviceCode, originalPartnerReferenceNo: body["partnerReferenceNo"] });
const manage = async (path: string) => (await fetch(`${served.managementUrl}${path}`)).text();

async function holdOf(value: string) {
  const body = paymentBody(merchantId, { amount: idr(value), additionalInfo: { sourceAccountNo: to } });
  const answer = await call(paths.payment, body);
  expectCode(answer, "2006300");
  const partnerReferenceNo = String(body["partnerReferenceNo"]);
  return { referenceNo: String(answer.body["referenceNo"]), partnerReferenceNo, merchantId };
}

/** Digest of every row of every table but that of results set aside, with the transaction that wrote it. */
async function digestOf(url: string): Promise<unknown> {
  const tables = (await queryRows(
    url,
    `select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname not in ('set_aside_results') order by relname`,
  )) as readonly { relname: string }[];
  const parts = tables.map(
    ({ relname }) =>
      `select '${relname}' as name, count(*), md5(string_agg(t.xmin || t::text, '' order by t::text)) from ${relname} t`,
  );
  return queryRows(url, parts.join(" union all "));
}

const within = transferBody({ from, to });
expectCode(await call(transferPath, within), "2001700");
const [settled, pending, forgotten] = [railBody(interbank, from), railBody(interbank, from), railBody(interbank, from)];
report(await call(interbank.path, settled));
await eventually(async () => (await statusOf("18", settled)).body["latestTransactionStatus"] === "00");
const open = await call(interbank.path, pending);
expectCode(open, "2021800");
const refused = transferBody({ from, to, value: "99999999999.00" });
expectCode(await call(transferPath, refused), "4031714");
const [held, released, taken] = [await holdOf("100.00"), await holdOf("200.00"), await holdOf("300.00")];
const [capture, release] = [captureBody(taken), voidBody(released)];
expectCode(await call(paths.capture, capture), "2006500");
expectCode(await call(paths.void, release), "2006700");
await production.service.end("SIGTERM");
// All calls from here on are forgotten.
const backup = stack.use(await copyDatabase(original.ownerUrl));
const { url } = roleUrlsOf(backup.url);
const lost = await startAgain(original.url);
const handedOver = await call(interbank.path, forgotten);
expectCode(handedOver, "2021800");
const late = transferBody({ from, to });
expectCode(await call(transferPath, late), "2001700");
await lost.end("SIGTERM");

const node = await startAgain(url, "--inquiries-only");
const before = await digestOf(backup.url);

test("writes are 503 once they are authenticated, 73 and 74, 15 and 16 go on, and what is unknown is 500", async () => {
  const faults: string[] = [];
  for (const { code, kind, direction, path, example } of operationRows) {
    if (direction !== "toProvider") continue;
    const answer = kind === "token" ? await caller.askToken(path, example.request) : await call(path, example.request);
    const expected = kind === "write" ? /^503\d\d00$/ : /^(36|53|64|66|68)$/.test(code) ? /^500\d\d00$/ : /^[24]/;
    if (!expected.test(answer.code)) faults.push(`${code}: ${answer.text}`);
    if (kind === "write") assert.equal(answer.headers["retry-after"], "60", code);
  }
  assert.deepEqual(faults, []);
  const signed = await caller.sign(transferPath, late);
  const forged = { ...signed, headers: { ...signed.headers, "X-SIGNATURE": "AAAA" } };
  expectCode(await caller.send(forged), "4011700");
});

test("states that no call can have changed since are answered, everything else is 500", async () => {
  const told = [
    [await statusOf("17", within), "00"],
    [await statusOf("18", settled), "00"],
    [await call(paths.query, { originalReferenceNo: released.referenceNo, merchantId }), "05"],
  ] as const;
  for (const [answer, status] of told) assert.equal(answer.body["latestTransactionStatus"], status, answer.text);
  const changes = (asked: Json, number: string, of: Json) => ({ ...asked, [number]: of[number] });
  const named = ({ referenceNo }: { referenceNo: string }) => ({ originalReferenceNo: referenceNo, merchantId });
  expectCode(await call(paths.captureQuery, changes(named(taken), "partnerCaptureNo", capture)), "2006600");
  expectCode(await call(paths.voidQuery, changes(named(released), "partnerVoidNo", release)), "2006800");
  const unknown = [
    await statusOf("18", pending),
    await statusOf("18", forgotten),
    await statusOf("17", late),
    await statusOf("17", refused),
    await call(paths.query, named(held)),
    await call(paths.query, named(taken)),
    await call(paths.query, { merchantId }),
    await call(paths.captureQuery, { ...named(held), partnerCaptureNo: newNumber() }),
    await call(paths.query, { originalReferenceNo: unknownNumber, merchantId }),
  ];
  assert.deepEqual(
    unknown.filter(({ status }) => status !== 500).map(({ text }) => text),
    [],
  );
});

test("it is ready and says what it is", async () => {
  const ready = await fetch(`${served.managementUrl}/health/ready`);
  assert.equal(ready.status, 200);
  assert.match(node.output(), /"event":"service\.inquiries_only"/);
  assert.equal(((await ready.json()) as { checks: Json }).checks["mode"], "inquiries-only");
  const metrics = await manage("/metrics");
  assert.match(metrics, /^titian_inquiries_only 1$/m);
  const jobs = [...metrics.matchAll(/^titian_job_runs_total\{job="([^"]+)"\} [1-9]/gm)].map(([, name]) => name);
  const rails = ["interbank", "rtgs", "skn"].map((name) => `compare-results ${name}`);
  const allowed = [...rails, "watch-pending-transfers"];
  assert.deepEqual(
    jobs.filter((name = "") => !allowed.includes(name)),
    [],
  );
});

test("results are compared and not acknowledged; nothing else is written", async () => {
  report(open);
  report(handedOver);
  const text = "select reference_no, state, reason from set_aside_results";
  const kept = { reference_no: handedOver.body["referenceNo"], state: "settled", reason: "unknown" };
  for (let tries = 0; tries < 30 && (await queryRows(backup.url, text)).length === 0; tries += 1) await sleep(500);
  assert.deepEqual(await queryRows(backup.url, text), [kept]);
  assert.deepEqual(await digestOf(backup.url), before);
});

test("started without the option, it answers inquiries alone by itself: a rail's directory has what the database forgot", async () => {
  await node.end("SIGTERM");
  const digest = await digestOf(backup.url);
  const ahead = await startAgain(url);
  expectCode(await call(transferPath, late), "5031700");
  expectCode(await call(interbank.path, forgotten), "5031800");
  assert.equal((await statusOf("18", forgotten)).status, 500);
  const token = await caller.askToken(operations.accessTokenB2b.path, operations.accessTokenB2b.example.request);
  assert.equal(token.status, 200, token.text);
  const ready = await fetch(`${served.managementUrl}/health/ready`);
  const { checks } = (await ready.json()) as { checks: Json };
  assert.equal(ready.status, 200);
  assert.equal(checks["mode"], "inquiries-only");
  assert.match(String(checks["modeReason"]), /interbank rail .*titian rails reconcile interbank/);
  assert.match(JSON.stringify(checks["stoppedRails"]), /"interbank","because":"the directory is ahead: 1 lines/);
  const told = ahead
    .output()
    .split("\n")
    .filter((line) => line.includes('"event":"service.inquiries_only"'));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /"level":50.*titian rails open interbank/);
  assert.match(await manage("/metrics"), /^titian_inquiries_only 1$/m);
  const changed = (rows: unknown) =>
    (rows as readonly { readonly name: string }[]).filter(({ name }) => !/^rail_(leases|differences)$/.test(name));
  assert.deepEqual(changed(await digestOf(backup.url)), changed(digest));

  const settings = { ...productionSettings(url), ...env };
  const run = (...args: readonly string[]) => runCli(["rails", ...args], { env: settings });
  const listed = await run("reconcile", "interbank", "--json");
  assert.equal(listed.exitCode, 1, listed.stderr);
  const { differences } = JSON.parse(listed.stdout) as { differences: readonly Json[] };
  const { kind, referenceNo, serviceCode, partnerId, externalId, payerAccountNo, results } = differences[0] ?? {};
  assert.deepEqual(
    [differences.length, kind, referenceNo, serviceCode, partnerId, payerAccountNo, results],
    [1, "ahead", handedOver.body["referenceNo"], "18", caller.partner.partnerId, from, ["settled"]],
  );
  assert.equal(typeof externalId, "string");
  assert.equal((await run("take-over-directory", "interbank", railFolder, "--yes")).exitCode, 1);
  assert.equal((await run("open", "interbank")).exitCode, 1);
  await ahead.end("SIGTERM");
});

test("a node listens for inquiries alone until the directory of each rail was compared, whatever keeps it from that", async () => {
  const { ownerUrl } = original;
  // Instead of a disk that cannot be read, which takes more to make.
  await runStatements(ownerUrl, ["alter table rail_differences rename to rail_differences_away"]);
  const waiting = await startAgain(original.url);
  expectCode(await call(transferPath, transferBody({ from, to })), "5031700");
  const unknown = { serviceCode: "18", originalReferenceNo: unknownNumber };
  assert.equal((await call(statusPath, unknown)).status, 500);
  const { checks } = JSON.parse(await manage("/health/ready")) as { checks: Json };
  assert.equal(checks["mode"], "inquiries-only");
  assert.match(String(checks["modeReason"]), /directory of the \w+ rail is not compared .*rail_differences/);
  assert.match(waiting.output(), /"level":50.*"event":"service\.inquiries_only"/);
  await runStatements(ownerUrl, ["alter table rail_differences_away rename to rail_differences"]);
  await eventually(async () => (await call(transferPath, transferBody({ from, to }))).code === "2001700");
  assert.match(waiting.output(), /"event":"service\.inquiries_only_ended"/);
  // Others renew the lease, and have compared: a node beside them takes writes at once.
  const beside = { ...productionSettings(original.url), ...env };
  const next = stack.use(await startService({ dataDir: production.dataDir, env: beside }));
  const other = createCaller({ ...served, baseUrl: next.baseUrl }, caller.partner.partnerId, production.agent);
  expectCode(await other.call(transferPath, transferBody({ from, to })), "2001700");
  await waiting.end("SIGTERM");
});
