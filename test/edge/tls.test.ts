/** Goal: with a certificate every listener speaks TLS 1.3 and nothing else, and so does who sends notifications. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { Agent, request } from "undici";
import { createAddressGuard, sandboxRules } from "../../packages/server/src/notify/address-guard.ts";
import { createHttpClient } from "../../packages/server/src/notify/http-client.ts";
import { tlsFiles } from "../support/edge/tls-files.ts";
import { answersIn, rawCall, sendRaw } from "../support/edge/raw-calls.ts";
import { startEdge } from "../support/edge/start-edge.ts";

const startWithTls = (t: TestContext) =>
  startEdge(t, {
    settings: { tls: tlsFiles },
    management: { port: 0, host: "127.0.0.1", alsoOnMain: false },
  });

async function open(t: TestContext, port: number, version: SecureVersion) {
  const versions = { minVersion: version, maxVersion: version };
  const socket = connect({ port, host: "127.0.0.1", ca: tlsFiles.cert, servername: "localhost", ...versions });
  t.after(() => socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

test("calls over one connection of TLS 1.3 are answered, each in its turn", async (t) => {
  const edge = await startWithTls(t);
  assert.match(edge.url, /^https:/);
  const socket = await open(t, edge.port, "TLSv1.3");
  assert.equal(socket.getProtocol(), "TLSv1.3");
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  const last = await rawCall(edge, { lines: ["Connection: close"] });
  socket.write(`${await rawCall(edge)}${await rawCall(edge)}${last.slice(0, -40)}`);
  socket.write(last.slice(-40));
  await once(socket, "end");
  assert.deepEqual(
    answersIn(text).map(({ code }) => code),
    ["2001700", "2001700", "2001700"],
  );
});

test("neither TLS 1.2 nor plain HTTP gets an answer, on the main and on the management listener", async (t) => {
  const edge = await startWithTls(t);
  assert.match(edge.managementUrl, /^https:/);
  const agent = new Agent({ connect: { ca: tlsFiles.cert } });
  t.after(() => agent.close());
  const { statusCode, body } = await request(`${edge.managementUrl}/health/live`, { dispatcher: agent });
  assert.deepEqual([statusCode, await body.json()], [200, { status: "live" }]);
  for (const port of [edge.port, Number(new URL(edge.managementUrl).port)]) {
    await assert.rejects(open(t, port, "TLSv1.2"), { code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
    assert.equal(await sendRaw(port, "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"), "");
  }
});

test("an address that completes no handshake loses its oldest connection, and a stop waits for none of them", async (t) => {
  const edge = await startEdge(t, { settings: { tls: tlsFiles }, limits: { handshakesOfAddress: 3 } });
  const startedAt = performance.now();
  const sockets: Socket[] = [];
  for (let count = 0; count < 5; count += 1) {
    const socket = connectPlain({ port: edge.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    socket.on("error", () => undefined).resume();
    t.after(() => socket.destroy());
    await once(socket, "connect");
    sockets.push(socket);
    // Another address, whose handshake is completed, takes no place of it.
    await open(t, edge.port, "TLSv1.3");
  }
  const [first, second, ...others] = sockets;
  for (const socket of [first, second]) if (socket?.closed === false) await once(socket, "close");
  assert.deepEqual(
    others.map(({ closed }) => closed),
    [false, false, false],
  );
  await edge.edge.close();
  assert.ok(performance.now() - startedAt < 5_000, "Node waits 10 s for a handshake");
});

test("notifications are posted over TLS 1.3, and not to a receiver that has an older version alone", async (t) => {
  const client = createHttpClient({
    guard: createAddressGuard(sandboxRules),
    timeoutMs: 2_000,
    ca: tlsFiles.cert,
    connections: 1,
  });
  t.after(() => client.close());
  const postTo = async (version: SecureVersion) => {
    const server = createTlsServer({ ...tlsFiles, maxVersion: version }, (_request, response) => response.end("{}"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return client.post(new URL(`https://127.0.0.1:${port}/`), {}, Buffer.from("{}"), { partnerId: "P" });
  };
  assert.equal((await postTo("TLSv1.3")).status, 200);
  await assert.rejects(postTo("TLSv1.2"), { code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
});
