// Cases that only a real connection shows: bodies in pieces, too large, too slow, cut off, and read by something
// before.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type RequestListener, type Server } from "node:http";
import { connect } from "node:net";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { createMemoryStore } from "../../src/index.ts";
import { startReceiver } from "../readme/start-receiver.ts";
import {
  bulk,
  bulkPath,
  type Delivery,
  publicKey,
  readAnswer,
  rtgs,
  rtgsPath,
  sign,
  testReceiver,
} from "../helpers/provider.ts";

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  return portOf(server);
}

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

test("the receiver of the README", async () => {
  const server = startReceiver(0, publicKey, createMemoryStore());
  servers.push(server);
  const delivery = sign(rtgs, { timestamp: formatTimestamp(Date.now()) });
  assert.equal((await post(await portOf(server), delivery)).responseCode, "2007600");
});

async function post(port: number, { path, headers, body }: Delivery) {
  const init = { method: "POST", headers, body: Buffer.from(body) };
  return readAnswer(await fetch(`http://127.0.0.1:${port}${path}`, init));
}

/** Sends text on a connection of its own and reads until the first response is whole, or the end. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk.toString();
      if (received.endsWith("}")) socket.destroy();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

const head = ({ path, headers }: Delivery, length: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: partner",
    ...Object.entries({ ...headers, "content-length": String(length) }).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

test("a notification in one piece, in many, and one of megabytes", async () => {
  const { receiver, handled } = testReceiver();
  const port = await listen(receiver.nodeListener);
  assert.deepEqual((await post(port, sign(rtgs))).body, { responseCode: "2007600", responseMessage: "Successful" });
  const delivery = sign({ ...rtgs, latestTransactionStatus: "04" });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const call = request({ port, method: "POST", path: delivery.path, headers: delivery.headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on("error", reject);
    for (const piece of String(delivery.body).match(/.{1,7}/gs) ?? []) call.write(piece);
    call.end();
  });
  assert.equal(await answer, 200);
  const large = JSON.stringify({ ...bulk, filler: "x".repeat(7_000_000) });
  assert.equal((await post(port, sign(large, { path: bulkPath }))).responseCode, "2002100");
  assert.equal(handled.length, 3);
});

test("the path is signed as it stands in the request line", async () => {
  const { receiver } = testReceiver();
  const port = await listen(receiver.nodeListener);
  const path = `/a/../b|c${rtgsPath}?q=%7e`;
  const delivery = sign(rtgs, { path });
  const received = await exchange(port, head(delivery, String(delivery.body).length) + String(delivery.body));
  assert.match(received, /^HTTP\/1\.1 200 /);
});

test("a call that its headers disqualify is answered before its body arrives", async () => {
  const { receiver } = testReceiver();
  const port = await listen(receiver.nodeListener);
  const received = await exchange(port, head({ ...sign(rtgs), path: "/nowhere" }, 1_000));
  assert.match(received, /^HTTP\/1\.1 404 .*"responseCode":"4040000"/s);
  assert.match(received, /connection: close/i);
});

test("a body that is too large: announced, and found while it arrives", async () => {
  const { receiver, rejected } = testReceiver();
  const port = await listen(receiver.nodeListener);
  const delivery = sign(JSON.stringify({ ...rtgs, filler: "x".repeat(140_000) }));
  assert.equal((await post(port, delivery)).responseCode, "4007600");
  const chunked = { ...delivery, headers: { ...delivery.headers, "transfer-encoding": "chunked" } };
  const { "content-length": _length, ...headers } = chunked.headers as Record<string, string>;
  const status = new Promise<number | undefined>((resolve, reject) => {
    const call = request({ port, method: "POST", path: delivery.path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on("error", reject);
    call.end(delivery.body);
  });
  assert.equal(await status, 400);
  assert.deepEqual(
    rejected.map(({ step, reason }) => [step, reason]),
    [
      ["body", "Body too large"],
      ["body", "Body too large"],
    ],
  );
});

test("a slow body ends at the time limit, and one that is cut off keeps nothing waiting", async () => {
  const { receiver, handled, rejected } = testReceiver({ bodyTimeoutMs: 30 });
  const port = await listen(receiver.nodeListener);
  assert.match(await exchange(port, `${head(sign(rtgs), 1_000)}{`), /^HTTP\/1\.1 400 /);
  await new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${head(sign(rtgs), 1_000)}{`, () => socket.resetAndDestroy());
    });
    socket.on("close", () => resolve());
  });
  // The next call is answered after the cut one was seen.
  await post(port, sign(rtgs));
  assert.equal(handled.length, 1);
  assert.ok(rejected.every(({ step }) => step === "body"));
});

test("a body read before: bytes as sent are used, anything else is a fault of the program", async () => {
  const readBefore =
    (keep: (bytes: Buffer) => object): RequestListener =>
    (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        receiver.nodeListener(Object.assign(incoming, keep(Buffer.concat(chunks))), response);
      });
    };
  const { receiver, rejected } = testReceiver();
  const asBytes = await listen(readBefore((body) => ({ body })));
  assert.equal((await post(asBytes, sign(rtgs))).responseCode, "2007600");
  const besideJson = await listen(readBefore((rawBody) => ({ rawBody, body: JSON.parse(String(rawBody)) })));
  assert.equal((await post(besideJson, sign(rtgs))).responseCode, "2007600");
  const asJson = await listen(readBefore((body) => ({ body: JSON.parse(String(body)) })));
  assert.equal((await post(asJson, sign(rtgs))).responseCode, "5007600");
  assert.match(rejected[0]?.cause ?? "", /before any body parser/);
});

test("a router that cuts its own part off the path leaves the whole one in originalUrl", async () => {
  const { receiver } = testReceiver();
  const port = await listen((incoming, response) => {
    const originalUrl = incoming.url ?? "";
    receiver.nodeListener(Object.assign(incoming, { originalUrl, url: originalUrl.replace("/base", "") }), response);
  });
  assert.equal((await post(port, sign(rtgs))).responseCode, "2007600");
});
