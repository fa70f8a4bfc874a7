/** Bodies of a partner that find its share full wait for room, and are answered by what they are (spec D2, D17). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../support/black-box/answers.ts";
import { readMetric } from "../support/edge/read-metric.ts";
import { type EdgeOptions, signCall, startEdge, type TestEdge } from "../support/edge/start-edge.ts";

const mebibyte = 1_048_576;
const handlers: EdgeOptions["handlers"] = {
  interbankBulkTransfer: () => Promise.resolve({ case: "success" } as const),
};
const rejectedBulk = { operation: "interbankBulkTransfer", secret: "wrong" } as const;

async function open(t: TestContext, edge: TestEdge): Promise<Socket> {
  const socket = connect(edge.port, "127.0.0.1");
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** The head of a bulk with a valid token and a wrong signature. */
async function headOf(edge: TestEdge, length: string): Promise<string> {
  const { headers, target } = await signCall(edge, { ...rejectedBulk, body: Buffer.alloc(mebibyte, " ") });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${target} HTTP/1.1`, "Host: t", length, ...lines].join("\r\n").concat("\r\n\r\n");
}

/** Two bodies that stall, usually half-way, fill the partner's share. */
async function fillShare(t: TestContext, edge: TestEdge, sent = 4 * mebibyte): Promise<readonly Socket[]> {
  const stalled = [await open(t, edge), await open(t, edge)];
  const [announced, inChunks] = stalled;
  const half = " ".repeat(sent);
  announced?.write((await headOf(edge, `Content-Length: ${8 * mebibyte}`)) + half);
  inChunks?.write(`${await headOf(edge, "Transfer-Encoding: chunked")}${half.length.toString(16)}\r\n${half}\r\n`);
  const isFull = async () => (await readMetric(edge, "titian_http_unfinished_body_bytes")) === 16 * mebibyte;
  await eventually(isFull, 5);
  return stalled;
}

async function untilWaiting(edge: TestEdge, count: number): Promise<void> {
  await eventually(async () => (await readMetric(edge, "titian_http_waiting_bodies")) === count, 5);
}

/** All that comes until the end. */
async function readToEnd(socket: Socket): Promise<string> {
  let received = "";
  for await (const bytes of socket) received += String(bytes);
  return received;
}

test("100 bulks of 1 MiB at once with a wrong signature read their 401 beside two of their partner that stall", async (t) => {
  const edge = await startEdge(t, { handlers });
  const stalled = await fillShare(t, edge);
  const ended = Promise.race(stalled.map(async (socket) => String((await once(socket, "data"))[0])));
  const body = Buffer.alloc(mebibyte, " ");
  const calls = Array.from({ length: 100 }, () => edge.send({ ...rejectedBulk, body }));
  await untilWaiting(edge, 100);
  // A short body of the partner waits for none of them.
  const payment = await open(t, edge);
  const { headers, target, body: text } = await signCall(edge, {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  payment.write(
    `POST ${target} HTTP/1.1\r\nHost: t\r\nContent-Length: ${text.length}\r\n${lines.join("\r\n")}\r\n\r\n{`,
  );
  await readMetric(edge, "titian_http_waiting_bodies");
  payment.write(text.slice(1));
  assert.match(String((await once(payment, "data"))[0]), /"2001700"/);
  for (const { code } of await Promise.all(calls)) assert.equal(code, "4012000");
  assert.match(await ended, /^HTTP\/1.1 503 .*\r\nRetry-After: 1\r\n/s);
  for (const socket of stalled) socket.destroy();
  assert.equal((await edge.send({ operation: "interbankBulkTransfer", body: "{}" })).status, 400);
  await untilWaiting(edge, 0);
  assert.equal(await readMetric(edge, "titian_http_unfinished_body_bytes"), 0);
});

test("a connection goes on after its body has waited, one that went away holds up nobody", async (t) => {
  const edge = await startEdge(t, { handlers });
  const stalled = await fillShare(t, edge);
  const gone = await open(t, edge);
  gone.write((await headOf(edge, `Content-Length: ${mebibyte}`)) + " ".repeat(100_000));
  await untilWaiting(edge, 1);
  const call = (await headOf(edge, `Content-Length: ${mebibyte}`)) + " ".repeat(mebibyte);
  const socket = await open(t, edge);
  socket.write(call);
  await untilWaiting(edge, 2);
  gone.destroy();
  for (const one of stalled) one.destroy();
  for (let i = 0; i < 2; i += 1) {
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(String(answer), /^HTTP\/1.1 401 .*\r\nConnection: keep-alive\r\n.*"4012000"/s);
    if (i === 0) socket.write(call);
  }
});

test("while the edge stops, bodies that wait are read and answered, and their connections closed", async (t) => {
  const edge = await startEdge(t, { handlers });
  const stalled = await fillShare(t, edge);
  const waiting: Socket[] = [];
  for (let i = 0; i < 20; i += 1) waiting.push(await open(t, edge));
  const call = (await headOf(edge, `Content-Length: ${mebibyte}`)) + " ".repeat(mebibyte);
  for (const socket of waiting) socket.write(call);
  await untilWaiting(edge, 20);
  const answers = waiting.map(readToEnd);
  const closed = edge.edge.close();
  for (const socket of stalled) socket.destroy();
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1.1 401 .*\r\nConnection: close\r\n/s);
  await closed;
});

test("a body that waits beyond the time for a request is read once there is room, those that stall are cut", async (t) => {
  const edge = await startEdge(t, { handlers, limits: { requestMs: 2_500 } });
  const socket = await open(t, edge);
  // The oldest request: Node finds it late before those that stall are cut.
  socket.write(await headOf(edge, `Content-Length: ${mebibyte}`));
  const stalled = await fillShare(t, edge, 1);
  const cut = Promise.all(stalled.map(readToEnd));
  socket.write(" ".repeat(mebibyte));
  await untilWaiting(edge, 1);
  const [answer] = (await once(socket, "data")) as [Buffer];
  assert.match(String(answer), /^HTTP\/1.1 401 .*"4012000"/s);
  for (const text of await cut) assert.match(text, /^HTTP\/1.1 400 .*"4000000"/s);
});
