/** Bodies that nobody asks for: little of them is read, and their callers read their responses (spec D2). */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { signCall, startEdge, type TestEdge } from "../support/edge/start-edge.ts";

const mebibyte = 1_048_576;

async function open(t: TestContext, edge: TestEdge): Promise<Socket> {
  const socket = connect(edge.port, "127.0.0.1");
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("of a body that nobody asks for 64 KiB are read at most, and its caller reads a response and its end", async (t) => {
  const edge = await startEdge(t);
  const { headers, target } = await signCall(edge, { headers: { Authorization: "Bearer unknown" } });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = ["Host: t", `Content-Length: ${mebibyte}`, ...lines].join("\r\n");
  const served: Socket[] = [];
  const note = (message: unknown) => served.push((message as { readonly socket: Socket }).socket);
  subscribe("http.server.request.start", note);
  t.after(() => unsubscribe("http.server.request.start", note));
  for (const path of ["/nothing", target, "/v1.0/access-token/b2b", "/v1.0/transfer-interbank-bulk"]) {
    const socket = await open(t, edge);
    let text = "";
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    socket.write(`POST ${path} HTTP/1.1\r\n${rest}\r\n\r\n${" ".repeat(mebibyte)}`);
    await once(socket, "end");
    assert.match(text, /^HTTP\/1.1 40[014] .*\r\nConnection: close\r\n.*\}$/s, path);
    socket.destroy();
  }
  assert.equal(served.length, 4);
  // A read brings up to 64 KiB, and none follows one of 16 KiB.
  for (const { bytesRead } of served) assert.ok(bytesRead <= 65_536 + 16_384, `${bytesRead} bytes`);
});

test("a rejected body of 64 KiB is read to its end, and the next call on its connection is answered", async (t) => {
  const edge = await startEdge(t);
  const { body, headers, target } = await signCall(edge, {});
  const send = (socket: Socket, bytes: string, more: Readonly<Record<string, string>>) => {
    const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`);
    const head = [`POST ${target} HTTP/1.1`, "Host: t", `Content-Length: ${bytes.length}`, ...lines].join("\r\n");
    socket.write(`${head}\r\n\r\n`);
    return () => socket.write(bytes);
  };
  const socket = await open(t, edge);
  const sendRest = send(socket, " ".repeat(65_536), { Authorization: "Bearer unknown" });
  const [rejected] = (await once(socket, "data")) as Buffer[];
  assert.match(String(rejected), /^HTTP\/1.1 401 .*\r\nConnection: keep-alive\r\n/s);
  sendRest();
  send(socket, String(body), {})();
  const [answer = Buffer.alloc(0)] = (await Promise.race([once(socket, "data"), once(socket, "end")])) as Buffer[];
  assert.match(answer.toString(), /^HTTP\/1.1 200 /);
});

test("100 callers with 1 MiB and a token that is none read their 401", async (t) => {
  const handlers = { interbankBulkTransfer: () => Promise.resolve({ case: "success" } as const) };
  const edge = await startEdge(t, { handlers });
  const body = Buffer.alloc(mebibyte, " ");
  const calls = Array.from({ length: 100 }, () =>
    edge.send({ operation: "interbankBulkTransfer", body, headers: { Authorization: "Bearer unknown" } }),
  );
  for (const { code, message } of await Promise.all(calls)) assert.equal(code, "4012001", message);
});

test("a caller that goes on sending an unwanted body is cut off, on a path that nobody serves too", async (t) => {
  const edge = await startEdge(t);
  const { headers, target } = await signCall(edge, { headers: { Authorization: "Bearer unknown" } });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = ["Host: t", `Content-Length: ${20 * mebibyte}`, ...lines].join("\r\n");
  const chunked = rest.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked");
  for (const head of [`/nothing HTTP/1.1\r\n${rest}`, `${target} HTTP/1.1\r\n${chunked}`]) {
    const socket = await open(t, edge);
    socket.resume();
    socket.write(`POST ${head}\r\n\r\n${(10 * mebibyte).toString(16)}\r\n${" ".repeat(9 * mebibyte)}`);
    await new Promise((resolve) => socket.once("close", resolve));
  }
});
