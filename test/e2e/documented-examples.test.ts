/** The examples of rejections and repeats in the service's document are what it answers to the document's own requests. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { type Sandbox, startSandbox } from "../support/black-box/start-sandbox.ts";

interface Media {
  readonly "application/json": { readonly examples: Readonly<Record<string, { readonly value: Json }>> };
}
interface Described {
  readonly requestBody: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content: Media }>>;
}

let sandbox: Sandbox;
let paths: Readonly<Record<string, { readonly post: Described }>>;
before(async () => {
  sandbox = await startSandbox();
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

/** Queries first: they find the rejections of what comes after them. */
const rejected: readonly (readonly [suffix: string, name: string, changes?: Json])[] = [
  ...["auth/query", "auth/capture-query", "auth/void-query", "transfer/status", "qr/qr-mpm-status"].map(
    (suffix) => [suffix, "transactionNotFound"] as const,
  ),
  ...["auth/capture", "auth/void", "auth/refund"].map((suffix) => [suffix, "transactionNotFound"] as const),
  ["auth/payment", "invalidMerchant"],
  [
    "auth/payment",
    "insufficientFunds",
    { merchantId: "alpha-shop", additionalInfo: { sourceAccountNo: "1001000005" } },
  ],
  [
    "transfer-request-for-payment",
    "invalidAccount: Unknown source account",
    { expiredDatetime: "2999-01-01T00:00:00+07:00" },
  ],
  ...["transfer-intrabank", "transfer-interbank", "transfer-rtgs", "transfer-skn"].map(
    (suffix) => [suffix, "transactionNotPermitted: Source account"] as const,
  ),
];

test("rejections of the document's requests are the document's examples", async () => {
  for (const [suffix, name, changes] of rejected) {
    expectAsDocumented(suffix, name, await sandbox.caller("alpha").call(suffix, { ...requestOf(suffix), ...changes }));
  }
});

test("a repeat carries what the document's example does", async () => {
  const alpha = sandbox.caller("alpha");
  const [sourceAccountNo = "", beneficiaryAccountNo = ""] = alpha.partner.sourceAccounts;
  const changes: Readonly<Record<string, Json>> = {
    "auth/payment": { merchantId: "alpha-shop", additionalInfo: { sourceAccountNo } },
    "transfer-intrabank": { sourceAccountNo, beneficiaryAccountNo },
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
