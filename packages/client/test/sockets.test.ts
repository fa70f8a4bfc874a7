// Cases that only a real connection shows: with the global fetch and a server that misbehaves.
import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { after, test } from "node:test";
import { createClient, isOutcomeUnknown, NoResponseError, ProtocolError } from "../src/index.ts";
import { asymmetric } from "./helpers/credentials.ts";
import { rejection } from "./helpers/rejection.ts";
import { transfer } from "./helpers/transfer.ts";

const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const transferAt = (baseUrl: string): Promise<unknown> =>
  rejection(createClient({ ...asymmetric, baseUrl }).intrabankTransfer(transfer));

test("a redirect is not followed: the signed call goes nowhere else", async () => {
  let calls = 0;
  const elsewhere = await listen((_request, response) => {
    calls += 1;
    response.end();
  });
  const error = await transferAt(
    await listen((_request, response) => response.writeHead(307, { Location: elsewhere }).end()),
  );
  assert.ok(isOutcomeUnknown(error));
  assert.ok(error.cause instanceof ProtocolError);
  assert.equal(error.cause.httpStatus, 307);
  assert.equal(calls, 0);
});

test("a connection cut after the request leaves the outcome unknown", async () => {
  const error = await transferAt(
    await listen((request) => {
      request.resume().on("end", () => request.socket.destroy());
    }),
  );
  assert.ok(isOutcomeUnknown(error));
  assert.ok(error.cause instanceof NoResponseError);
  assert.equal(error.cause.reason, "network");
});

test("a connection cut in the middle of a response leaves the outcome unknown", async () => {
  const error = await transferAt(
    await listen((request, response) => {
      response.writeHead(200, { "Content-Length": "500" });
      response.write('{"responseCode":"2001700"', () => request.socket.destroy());
    }),
  );
  assert.ok(isOutcomeUnknown(error));
  assert.ok(error.cause instanceof NoResponseError);
});

test("a refused connection is a NoResponseError with the reason", async () => {
  const baseUrl = await listen(() => undefined);
  await new Promise((resolve) => servers.at(-1)?.close(resolve));
  const error = await transferAt(baseUrl);
  assert.ok(isOutcomeUnknown(error));
  assert.match(error.message, /ECONNREFUSED/);
});
