/** 21, 75 and 76 as they are sent: whose they are, the bytes of their bodies, and their headers (spec D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath } from "../../support/black-box/bulks.ts";
import type { Json } from "../../support/black-box/caller.ts";
import { assertSigned, type Endpoint, type Received, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { expectCode } from "../../support/black-box/transfers.ts";
import { withClient } from "../../support/database/with-client.ts";
import { runCli } from "../../support/cli/run-cli.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = await fixture.newPayer("100000000000.00");

async function useEndpoint(): Promise<Endpoint> {
  const endpoint = stack.use(await startEndpoint());
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
  return endpoint;
}

const partnerIdIn = ({ body }: Pick<Received, "body">) => (body["additionalInfo"] as Json | undefined)?.["partnerId"];

test("21, 75, 76 and test notifications name the partner in the body; sent on as another's, they still do", async () => {
  const endpoint = await useEndpoint();
  await fixture.send(rtgs, payer, { additionalInfo: { partnerId: "beta", order: "A-1" } }, "2002200");
  await fixture.send(skn, payer, {}, "2002300");
  expectCode(await alpha.call(bulkPath, bulkBody(payer, [bulkItem()])), "2002000");
  await fixture.moveTo(fixture.at(0, "13:00:00"));
  await endpoint.until(3);
  for (const service of ["76", "75", "21"]) {
    const args = ["partner", "notify", "alpha", "--test", "--service", service];
    const { exitCode, stdout } = await runCli(args, { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
    assert.equal(exitCode, 0, stdout);
  }
  assert.equal(endpoint.received.length, 6);
  const paths = ["transfer-interbank-bulk", "transfer-rtgs", "transfer-skn"].map((name) => `/v1.0/${name}/notify`);
  assert.deepEqual(endpoint.received.map(({ path }) => path).sort(), [...paths, ...paths].sort());
  for (const got of endpoint.received) {
    assert.equal(partnerIdIn(got), "alpha", got.text);
    // No signature covers X-PARTNER-ID: alpha can send its own notification on to beta as if it were beta's.
    const forwarded = { ...got, headers: { ...got.headers, "x-partner-id": "beta" } };
    assertSigned(forwarded, sandbox.file);
    assert.equal(partnerIdIn(forwarded), "alpha");
    const altered = { ...forwarded, text: got.text.replace('"partnerId":"alpha"', '"partnerId":"beta"') };
    assert.throws(() => assertSigned(altered, sandbox.file), /signature/);
  }
});

test("what a partner sent with a transfer stands beside the name, other JSON than an object under `value`", async () => {
  const endpoint = await useEndpoint();
  const kinds = [
    [{ order: "A-1" }, { order: "A-1" }],
    ...[[1, "two"], "", 7, false].map((value) => [value, { value }] as const),
  ] as const;
  for (const [index, [additionalInfo, expected]] of kinds.entries()) {
    expectCode(await alpha.call(rtgs.path, railBody(rtgs, payer, { additionalInfo })), "2002200");
    const { body } = await endpoint.until(index + 1);
    assert.deepEqual(body["additionalInfo"], { ...expected, partnerId: "alpha" });
  }
});

test("numbers and keys of the request reach the receiver: no digit is lost, and keys are sorted", async () => {
  const endpoint = await useEndpoint();
  const info = '{"order":{"b":1.10,"a":[1e400,-0]},"10":1,"9":2,"invoice":12345678901234567890}';
  const body = JSON.stringify(railBody(rtgs, payer)).replace(/}$/, `,"additionalInfo":${info}}`);
  expectCode(await alpha.call(rtgs.path, body), "2002200");
  const { path, headers, text } = await endpoint.until(1);
  const sorted = '{"9":2,"10":1,"invoice":12345678901234567890,"order":{"a":[1e400,-0],"b":1.10},"partnerId":"alpha"}';
  assert.ok(text.startsWith(`{"additionalInfo":${sorted},"amount":{"currency":"IDR","value":`), text);
  assertSigned({ path, headers, text }, sandbox.file);
});

test("a notification that a release before recorded is sent as that release wrote it, at every attempt", async () => {
  await control.call("PUT", "partners/alpha/notification-address", { url: null });
  const sent = await fixture.send(rtgs, payer, { additionalInfo: { b: 1, a: 2 } }, "2002200");
  const { referenceNo } = sent.body;
  const kept = () =>
    control.call<{ readonly notifications: readonly { readonly state: string; readonly id: string }[] }>(
      "GET",
      `notifications?referenceNo=${String(referenceNo)}`,
    );
  await eventually(async () => (await kept()).notifications[0]?.state === "kept");
  // That release inserts no version.
  await withClient(sandbox.ownerUrl ?? assert.fail(), async (client) => {
    const { rowCount } = await client.query(
      "update outbox set body_version = default where id = (select id from outbox order by id desc limit 1)",
    );
    assert.equal(rowCount, 1);
  });
  const endpoint = await useEndpoint();
  endpoint.replies.push({ status: 500 });
  await control.call("POST", "notifications/replay", { referenceNo });
  await endpoint.until(1);
  await fixture.advance(11);
  const { text } = await endpoint.until(2);
  assert.match(text, /^\{"originalPartnerReferenceNo":.*"additionalInfo":\{"b":1,"a":2\}\}$/);
  assert.equal(endpoint.received[0]?.text, text);
});

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody: { readonly content: Readonly<Record<string, unknown>> };
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: { readonly pattern?: string };
  }[];
}

/** 21, 75 and 76 in the service's own document. */
async function describedNotifications(): Promise<readonly Operation[]> {
  const response = await fetch(`${sandbox.file.baseUrl}/openapi.json`);
  const parts = Object.values((await response.json()) as Json).flatMap((part) => Object.values(Object(part)));
  const operations = parts.flatMap((part) => (part as { readonly post?: Operation }).post ?? []);
  return operations.filter(({ tags }) => tags.includes("notification"));
}

/** Headers of HTTP itself. */
const transportHeaders = ["host", "connection", "content-length"];

test("OpenAPI lists exactly the headers of what is sent, in each mode", async () => {
  const described = await describedNotifications();
  assert.equal(described.length, 3);
  for (const signing of ["asymmetric", "symmetric"]) {
    await control.call("PUT", "partners/alpha/settings", { notificationSigning: signing });
    const endpoint = await useEndpoint();
    await fixture.send(rtgs, payer, {}, "2002200");
    const { headers } = await endpoint.until(1);
    for (const operation of described) {
      assert.ok(operation.parameters.every((parameter) => parameter.in === "header" && parameter.required));
      assert.deepEqual(Object.keys(operation.requestBody.content), [headers["content-type"]]);
      // OpenAPI describes these two by media types and security schemes: without a scheme in mode 2, with one in mode 1.
      assert.deepEqual(operation.security, [{ partnerToken: [] }, {}]);
      const own = ["content-type", ...(signing === "symmetric" ? ["authorization"] : [])];
      const names = [...operation.parameters.map(({ name }) => name.toLowerCase()), ...own, ...transportHeaders];
      assert.deepEqual(Object.keys(headers).sort(), names.sort(), `${operation.summary} ${signing}`);
      for (const { name, schema } of operation.parameters) {
        assert.match(headers[name.toLowerCase()] ?? "", new RegExp(schema.pattern ?? "^.+$"), name);
      }
    }
  }
});
