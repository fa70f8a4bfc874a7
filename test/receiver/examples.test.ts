/** Goal: every example of a receiver takes a signed notification and rejects an altered one, by real sockets. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
// @ts-expect-error -- It has no types of its own, and one call needs none.
import express from "express";
import { formatTimestamp, signRsa, stringToSign } from "@titian/contract";
import {
  clientKey,
  clientSecret,
  type Delivery,
  deliver,
  privateKey,
  publicKey,
  readAnswer,
  rtgs,
  sign,
  testReceiver,
  tokenSecret,
} from "../../packages/client/test/helpers/provider.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-receivers-"));
const keyFile = join(directory, "provider.pem");
writeFileSync(keyFile, publicKey);
Object.assign(process.env, {
  PORT: "0",
  PROVIDER_PUBLIC_KEYS: keyFile,
  PROVIDER_CLIENT_KEY: clientKey,
  CLIENT_SECRET: clientSecret,
  TOKEN_SECRET: tokenSecret,
});
const { statuses } = await import("../../examples/receivers/receiver.ts");
const plain = await import("../../examples/receivers/node-http.ts");
// @ts-expect-error -- A program in JavaScript.
const withExpress: { readonly server: Server } = await import("../../examples/receivers/express.mjs");
const withFastify = await import("../../examples/receivers/fastify.ts");
const mode1 = await import("../../examples/receivers/mode-1.ts");
const route = await import("../../examples/receivers/next-route.ts");

const servers: Server[] = [plain.server, withExpress.server, withFastify.server, mode1.server];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(directory, { recursive: true });
});

async function post(server: Server, { path, headers, body }: Delivery) {
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const url = `http://localhost:${address.port}${path}`;
  return readAnswer(await fetch(url, { method: "POST", headers, body: Buffer.from(body) }));
}

const programs: readonly (readonly [
  name: string,
  prefix: string,
  send: (delivery: Delivery) => ReturnType<typeof post>,
])[] = [
  ["node:http", "", (delivery) => post(plain.server, delivery)],
  ["Express", "/notifications", (delivery) => post(withExpress.server, delivery)],
  ["Express behind a body parser", "/parsed/notifications", (delivery) => post(withExpress.server, delivery)],
  ["Fastify", "/notifications", (delivery) => post(withFastify.server, delivery)],
  ["a route handler", "/notifications", (delivery) => deliver(route.POST, delivery)],
];

for (const [index, [name, prefix, send]] of programs.entries()) {
  test(`${name}: a signed notification is taken, an altered one is not`, async (context) => {
    context.mock.method(console, "warn", () => undefined);
    const originalReferenceNo = `REF-${index}`;
    const path = `${prefix}/v1.0/transfer-rtgs/notify`;
    // Spaces and escapes that no parser gives back as they were.
    const body = JSON.stringify({ ...rtgs, originalReferenceNo }, null, 1).replace("Makmur", "\\u004dakmur");
    const delivery = sign(body, { path, timestamp: formatTimestamp(Date.now()), externalId: String(index) });
    const altered = await send({ ...delivery, body: body.replace("\\u004d", "M") });
    assert.equal(altered.responseCode, "4017600");
    assert.equal(statuses.get(originalReferenceNo), undefined);
    assert.deepEqual((await send(delivery)).body, { responseCode: "2007600", responseMessage: "Successful" });
    assert.equal(statuses.get(originalReferenceNo), "00");
  });
}

test("mode 1: a token, and a notification with it", async (context) => {
  const lines = context.mock.method(console, "log", () => undefined);
  const timestamp = formatTimestamp(Date.now());
  const signature = signRsa(privateKey, stringToSign.token(clientKey, timestamp));
  const token = await post(mode1.server, {
    path: "/notifications/v1.0/access-token/b2b",
    headers: {
      "content-type": "application/json",
      "x-timestamp": timestamp,
      "x-client-key": clientKey,
      "x-signature": signature,
    },
    body: '{"grantType":"client_credentials"}',
  });
  const accessToken = String(token.body["accessToken"]);
  assert.equal((await post(mode1.server, sign(rtgs, { accessToken, timestamp }))).responseCode, "2007600");
  assert.equal((await post(mode1.server, sign(rtgs, { timestamp }))).responseCode, "4017603");
  assert.equal(lines.mock.callCount(), 1);
});

test("the pitfall: behind express.json() alone the bytes are lost, and the log names the cause", async () => {
  const { receiver, rejected } = testReceiver();
  const server = createServer(express().use(express.json()).use(receiver.nodeListener)).listen(0);
  servers.push(server);
  assert.equal((await post(server, sign(rtgs))).responseCode, "5007600");
  assert.match(rejected[0]?.cause ?? "", /mount the endpoint before any body parser/);
});
