/** The requests in the service's document succeed as they stand; its other examples, and those of our pages, are what it answers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { request } from "undici";
import { eventually } from "../support/black-box/answers.ts";
import { bulkItem, bulkPath, inquireBulk } from "../support/black-box/bulks.ts";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { type Sandbox, startSandbox } from "../support/black-box/start-sandbox.ts";
import { workingTime } from "../support/working-day.ts";

interface Media {
  readonly "application/json": { readonly examples: Readonly<Record<string, { readonly value: Json }>> };
}
interface Described {
  readonly operationId: string;
  readonly requestBody: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content: Media }>>;
}

let sandbox: Sandbox;
let paths: Readonly<Record<string, { readonly post: Described }>>;
before(async () => {
  sandbox = await startSandbox();
  // On a day on which every rail is open.
  await sandbox.control.call("POST", "clock", { set: new Date(workingTime(10)).toISOString() });
  const document = await (await fetch(`${sandbox.file.baseUrl}/openapi.json`)).json();
  ({ paths } = document as { readonly paths: typeof paths });
});
after(() => sandbox[Symbol.asyncDispose]());

const examplesOf = (media: Media | undefined) => media?.["application/json"].examples ?? {};
const describedAt = (suffix: string): Described => paths[`/v1.0/${suffix}`]?.post ?? assert.fail(suffix);
const requestOf = (suffix: string): Json => examplesOf(describedAt(suffix).requestBody.content)["request"]?.value ?? {};

function expectAsDocumented(suffix: string, name: string, { status, body }: Answer): void {
  const { responses } = describedAt(suffix);
  const { value } = examplesOf(responses[String(status)]?.content)[name] ?? assert.fail(`${suffix} ${status} ${name}`);
  const found = ({ responseCode, responseMessage }: Json) => [responseCode, responseMessage];
  assert.deepEqual(
    [...found(body), ...Object.keys(body)],
    [...found(value), ...Object.keys(value)],
    `${suffix} ${name}`,
  );
}

test("servers is the address asked, where that is one of ours", async () => {
  const { baseUrl } = sandbox.file;
  const { port } = new URL(baseUrl);
  for (const [host, url] of [
    [`localhost:${port}`, `http://localhost:${port}`],
    ["localhost:8443", "http://localhost:8443"],
    [`192.0.2.7:${port}`, `http://192.0.2.7:${port}`],
  ]) {
    const { body } = await request(`${baseUrl}/openapi.json`, { headers: { host } });
    assert.deepEqual(((await body.json()) as Json)["servers"], [{ url }], host);
  }
  for (const host of ["evil.example", `127.0.0.1.evil.example:${port}`]) {
    assert.equal((await request(`${baseUrl}/openapi.json`, { headers: { host } })).statusCode, 400, host);
  }
});

test("every request of the document, sent as it stands in the document's order, succeeds", async () => {
  const alpha = sandbox.caller("alpha");
  const suffixes = Object.keys(paths).map((path) => path.replace("/v1.0/", ""));
  assert.equal(suffixes.length, 19);
  for (const suffix of suffixes) {
    const send = suffix.startsWith("access-token") ? alpha.askToken : alpha.call;
    const { code, text } = await send(suffix, requestOf(suffix));
    assert.match(code, /^20[02]..00$/, `${suffix} ${JSON.stringify(requestOf(suffix))}: ${text}`);
  }
});

/** The first JSON of an operation's page in Markdown. */
async function requestOnPage(operationId: string): Promise<Json> {
  const page = await (await fetch(`${sandbox.file.baseUrl}/docs/${operationId}.md`)).text();
  const [, json] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
  return JSON.parse(json ?? assert.fail(operationId));
}

test("the request on every operation's page, sent as it stands, succeeds", async () => {
  const alpha = sandbox.caller("alpha");
  for (const [path, { post }] of Object.entries(paths)) {
    const suffix = path.replace("/v1.0/", "");
    const send = suffix.startsWith("access-token") ? alpha.askToken : alpha.call;
    const body = await requestOnPage(post.operationId);
    const { code, text } = await send(suffix, body);
    assert.match(code, /^20[02]..00$/, `${suffix} ${JSON.stringify(body)}: ${text}`);
  }
});

const ofNobody = { originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4", originalPartnerReferenceNo: "ORDER-0" };
const { originalReferenceNo, originalPartnerReferenceNo } = ofNobody;

/** Queries first: they find the rejections of what comes after them. */
const rejected: readonly (readonly [suffix: string, name: string, changes: Json])[] = [
  ["auth/query", "transactionNotFound", ofNobody],
  ["auth/capture-query", "transactionNotFound", { originalReferenceNo }],
  ["auth/void-query", "transactionNotFound", { originalReferenceNo }],
  ["transfer/status", "transactionNotFound", { originalPartnerReferenceNo }],
  ["qr/qr-mpm-status", "transactionNotFound", { originalPartnerReferenceNo }],
  ...["auth/capture", "auth/void", "auth/refund"].map((suffix) => [suffix, "transactionNotFound", ofNobody] as const),
  ["auth/payment", "invalidMerchant", { merchantId: "M-0001" }],
  ["auth/payment", "insufficientFunds", { amount: { value: "9000000000000000.00", currency: "IDR" } }],
  ["transfer-request-for-payment", "invalidAccount: Unknown source account", { sourceAccountNo: "1000000001" }],
  ...["transfer-intrabank", "transfer-interbank", "transfer-interbank-bulk", "transfer-rtgs", "transfer-skn"].map(
    (suffix) => [suffix, "transactionNotPermitted: Source account", { sourceAccountNo: "1000000001" }] as const,
  ),
];

const ownNumbers: ReadonlySet<string> = new Set(["partnerReferenceNo", "partnerBulkId", "partnerRefundNo"]);

/** Numbers that were sent before are repeats. */
function withNewNumbers(sent: Json): Json {
  const renew = (name: string, value: unknown) => {
    if (Array.isArray(value)) return value.map((entry: Json) => withNewNumbers(entry));
    return ownNumbers.has(name) ? newNumber() : value;
  };
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, renew(name, value)]));
}

test("rejections of the document's requests are the document's examples", async () => {
  for (const [suffix, name, changes] of rejected) {
    const sent = { ...withNewNumbers(requestOf(suffix)), ...changes };
    expectAsDocumented(suffix, name, await sandbox.caller("alpha").call(suffix, sent));
  }
});

test("a repeat carries what the document's example does", async () => {
  const alpha = sandbox.caller("alpha");
  const [sourceAccountNo = ""] = alpha.partner.sourceAccounts;
  const changes: Readonly<Record<string, Json>> = {
    "auth/payment": {},
    "transfer-intrabank": {},
    [bulkPath]: { sourceAccountNo, partnerBulkId: newNumber(), bulkObject: [bulkItem(), bulkItem()] },
  };
  for (const [suffix, change] of Object.entries(changes)) {
    const body = { ...requestOf(suffix), partnerReferenceNo: newNumber(), ...change };
    const externalId = newNumber();
    const first = await alpha.call(suffix, body, { externalId });
    const repeat = await alpha.call(suffix, body, { externalId });
    expectAsDocumented(suffix, "conflict", repeat);
    const { originalResponse } = repeat.body["additionalInfo"] as Json;
    assert.deepEqual(originalResponse, first.body);
  }
});

test("rejections and repeats that name an item are the document's examples", async () => {
  const alpha = sandbox.caller("alpha");
  const [sourceAccountNo = ""] = alpha.partner.sourceAccounts;
  const item = bulkItem();
  const send = (first: Json) => {
    const more = { sourceAccountNo, partnerBulkId: newNumber(), bulkObject: [first, bulkItem()] };
    return alpha.call(bulkPath, { ...requestOf(bulkPath), ...more });
  };
  await send(item);
  const number = "bulkObject[0].partnerReferenceNo";
  for (const [name, changes] of [
    ["invalidMandatoryField", { bankCode: "" }],
    [`duplicatePartnerReferenceNo: ${number}`, {}],
    [`inconsistentRequest: ${number}`, { beneficiaryAccountNo: "1" }],
    ["bankNotSupported: Unknown bank", { bankCode: "000", partnerReferenceNo: newNumber() }],
    ["invalidAmount: Zero amount", { amount: { value: "0.00", currency: "IDR" }, partnerReferenceNo: newNumber() }],
  ] as const) {
    expectAsDocumented(bulkPath, name, await send({ ...item, ...changes }));
  }
});

/** The cells that the page's table of statuses has in a column, by their names in its first one. */
function readStatuses(page: string, column: number): Readonly<Record<string, string | undefined>> {
  const [, table = ""] = /\n(\| Field \|.*?)\n\n/s.exec(page) ?? [];
  const rows = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));
  return Object.fromEntries(rows.map((cells) => [cells[1], cells[column]]));
}

test("the payroll of docs/guides/bulk-transfers.md has the statuses that the page shows", async () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/guides/bulk-transfers.md"), "utf8");
  const [, payroll = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const body: Json = { ...JSON.parse(payroll), transactionDate: "2026-11-21T10:00:00+07:00" };
  const alpha = sandbox.caller("alpha");
  const untilShown = (column: number) =>
    eventually(async () => {
      const status = await inquireBulk(alpha, { originalPartnerReferenceNo: body["partnerBulkId"] });
      const { latestTransactionStatus, transactionStatusDesc, amount, additionalInfo } = status.body as Readonly<
        Record<string, Json>
      >;
      const { fee, settledCount, rejectedCount, openCount } = additionalInfo ?? {};
      const found = {
        latestTransactionStatus,
        transactionStatusDesc,
        "amount.value": amount?.["value"],
        "additionalInfo.fee": fee,
        "additionalInfo.settledCount, rejectedCount, openCount": `${settledCount}, ${rejectedCount}, ${openCount}`,
      };
      const shown = readStatuses(page, column);
      return Object.entries(found).every(([name, value]) => value === shown[name]);
    });
  assert.equal((await alpha.call(bulkPath, body)).code, "2002000");
  await untilShown(2);
  await sandbox.control.advance(15);
  await untilShown(3);
});
