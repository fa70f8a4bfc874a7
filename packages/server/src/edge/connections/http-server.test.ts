/** Victims of Node's own time-outs: a caller that is slow, never one whose bytes we hold back (spec D2). */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, createClock } from "../../basics/clock.ts";
import { createAddressList } from "./address-list.ts";
import { createConnections } from "./connections.ts";
import { createHttpServer } from "./http-server.ts";
import { createMetrics } from "../../observability/metrics.ts";

const call = `GET / HTTP/1.1\r\nHost: ${"t".repeat(300)}\r\n\r\n`;

/** A server whose responses wait, by default with a time-out of 100 ms, for which Node looks several times in it. */
async function start(t: TestContext, requestMs = 100, clock: Clock = createClock()) {
  const responses: ServerResponse[] = [];
  const connections = createConnections({ clock, metrics: createMetrics() }, createAddressList([]));
  const server = createHttpServer({
    connections,
    handler: (_request, response, connection) => {
      connections.claim(connection, "p");
      responses.push(response);
    },
    requestMs,
    malformedBody: "{}",
    timestamp: () => "now",
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => socket.destroy());
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return { responses, server, socket, statuses: () => text.match(/HTTP\/1\.1 \d+/g) ?? [] };
}

/** Answers so many calls once Node has found the head behind the first 16 late; the connection lives until then. */
async function answerLate({ responses, server, socket }: Awaited<ReturnType<typeof start>>, calls: number) {
  await once(server, "clientError");
  assert.deepEqual([responses.length, socket.destroyed], [16, false]);
  for (let i = 0; i < calls; i += 1) {
    while (responses[i] === undefined) await new Promise(setImmediate);
    responses[i]?.end();
  }
}

test("a head of which we hold the rest back is not late", { timeout: 20_000 }, async (t) => {
  const [held, slow] = [await start(t), await start(t)];
  const closed = [once(held.socket, "close"), once(slow.socket, "close")];
  held.socket.write(call.repeat(19) + call.replace("Host", "Connection: close\r\nHost"));
  slow.socket.write(call.repeat(16) + call.slice(0, 50));
  await Promise.all([answerLate(held, 20), answerLate(slow, 16), ...closed]);
  assert.deepEqual(held.statuses(), Array<string>(20).fill("HTTP/1.1 200"));
  // The caller itself sends no more: that is late.
  assert.deepEqual(slow.statuses(), [...Array<string>(16).fill("HTTP/1.1 200"), "HTTP/1.1 400"]);
});

test("a caller that sends byte after byte is late, although each waits for its turn", {
  timeout: 20_000,
}, async (t) => {
  const { socket, statuses } = await start(t);
  const drip = setInterval(() => socket.write("t"), 10);
  t.after(() => clearInterval(drip));
  socket.on("error", () => undefined).write(call.slice(0, 50));
  await once(socket, "close");
  assert.deepEqual(statuses(), ["HTTP/1.1 400"]);
});

test("a connection on which nothing was sent ends without a word: its caller would read that as its next answer", {
  timeout: 20_000,
}, async (t) => {
  const { socket, statuses } = await start(t);
  await once(socket.resume(), "close");
  assert.deepEqual(statuses(), []);
});

test("a caller that goes on sending behind what is no HTTP reads its response", { timeout: 20_000 }, async (t) => {
  const { server, socket, statuses } = await start(t, 30_000);
  const closed = once(socket, "close");
  socket.on("error", () => undefined).pause();
  socket.write("no HTTP\r\n\r\n");
  await once(server, "clientError");
  for (let sent = 0; sent < 5; sent += 1) {
    socket.write("more");
    await delay(10);
  }
  socket.resume();
  await closed;
  assert.deepEqual(statuses(), ["HTTP/1.1 400"]);
});

test("a body of which nothing was read for a while is not late soon after", { timeout: 20_000 }, async (t) => {
  let [now, sent] = [0, 0];
  const { responses, server, socket, statuses } = await start(t, 30_000, { ...createClock(), monotonic: () => now });
  socket.setNoDelay().write("POST / HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Length: 20000\r\n\r\n");
  while (responses[0] === undefined) await delay(5);
  const [{ req: request }] = responses;
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  request.pause();
  // Small packets are parsed when they come: none is held in the connection, and Node pauses it behind the last.
  while (!request.socket.isPaused()) {
    const { bytesRead } = request.socket;
    sent += 500;
    socket.write(" ".repeat(500));
    while (request.socket.bytesRead === bytesRead) await delay(5);
  }
  now += 25_000;
  request.resume();
  while (request.readableLength > 0) await delay(5);
  now += 5_000;
  server.emit("clientError", late, request.socket);
  socket.write(" ".repeat(20_000 - sent));
  await once(request, "end");
  responses[0].end();
  await once(socket, "close");
  assert.deepEqual(statuses(), ["HTTP/1.1 200"]);
});

test("a connection that lingers keeps nothing of what its caller goes on sending", { timeout: 20_000 }, async (t) => {
  const { responses, socket, statuses } = await start(t, 30_000);
  socket.on("error", () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1048576\r\n\r\n${" ".repeat(100_000)}`);
  while (responses[0] === undefined) await delay(5);
  const [response] = responses;
  const { socket: lingering } = response.req;
  response.end();
  await once(response, "close");
  const { bytesRead } = lingering;
  socket.write(" ".repeat(900_000));
  await delay(200);
  assert.deepEqual([lingering.bytesRead - bytesRead, lingering.readableLength, lingering.destroyed], [0, 0, false]);
  assert.deepEqual(statuses(), ["HTTP/1.1 200"]);
});
