/** Goal: with a certificate every listener speaks TLS 1.3 and nothing else, and so does who sends notifications. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect as connectPlain, isIP, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { Agent, request } from "undici";
import { createAddressGuard, productionRules, sandboxRules } from "../../packages/server/src/notify/address-guard.ts";
import { createHttpClient, type HttpClientOptions } from "../../packages/server/src/notify/http-client.ts";
import { clientTlsFiles, tlsFiles } from "../support/edge/tls-files.ts";
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

/** A receiver, and posts to it. */
async function startReceiver(t: TestContext, more: ServerOptions, options: Partial<HttpClientOptions> = {}) {
  const server = createTlsServer({ ...tlsFiles, ...more }, (_request, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  const guard = createAddressGuard(sandboxRules);
  const client = createHttpClient({ guard, timeoutMs: 2_000, ca: tlsFiles.cert, connections: 1, ...options });
  t.after(() => client.close());
  const { port } = server.address() as AddressInfo;
  const post = (line: object = {}, host = "127.0.0.1") =>
    client.post(new URL(`https://${host}:${port}/`), {}, Buffer.from("{}"), { partnerId: "SHOP01", ...line });
  return { port, post };
}

test("notifications are posted over TLS 1.3, and over 1.2 where it is a partner's exception, which is told once", async (t) => {
  assert.equal((await (await startReceiver(t, { maxVersion: "TLSv1.3" })).post()).status, 200);
  const told: string[] = [];
  const { post } = await startReceiver(
    t,
    { maxVersion: "TLSv1.2" },
    { onTls12: (partnerId) => void told.push(partnerId) },
  );
  const tooOld = { code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" };
  await assert.rejects(post(), tooOld);
  for (let time = 0; time < 2; time += 1) assert.equal((await post({ tlsMin: "1.2" })).status, 200);
  await assert.rejects(post({ partnerId: "SHOP02" }), tooOld);
  assert.deepEqual(told, ["SHOP01"]);
  const weak = await startReceiver(t, { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" });
  await assert.rejects(weak.post({ tlsMin: "1.2" }), /handshake failure/i);
});

test("a receiver that asks for a client certificate is shown ours", async (t) => {
  const asking = { requestCert: true, rejectUnauthorized: true, ca: clientTlsFiles.cert };
  assert.equal((await (await startReceiver(t, asking, { tls: clientTlsFiles })).post()).status, 200);
  await assert.rejects((await startReceiver(t, asking)).post());
  await assert.rejects((await startReceiver(t, asking, { tls: tlsFiles })).post());
});

/** A proxy that leads wherever it is asked to a port of this machine, and what it was asked for. */
async function startProxy(t: TestContext) {
  const asked: string[] = [];
  const proxy = createServer();
  const sockets = new Set<Socket>();
  proxy.on("connect", ({ url = "", headers }, socket: Socket) => {
    asked.push(`${headers["proxy-authorization"]} ${url}`);
    const onward = connectPlain(Number(url.split(":").at(-1)), "127.0.0.1");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) sockets.add(each.on("error", () => each.destroy()));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => {
    for (const each of sockets) each.destroy();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { asked, url: `http://bank:secret@127.0.0.1:${port}` };
}

/** The guard of production with a resolver of its own: the answers of a name one after the other, the last one for good. */
function guardOf(answers: Record<string, readonly string[]>) {
  const left = new Map(Object.entries(answers).map(([name, addresses]) => [name, [...addresses]]));
  const resolve = async (name: string) => {
    const addresses = left.get(name) ?? [];
    const address = addresses.length > 1 ? addresses.shift() : addresses[0];
    if (address === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
    return [{ address, family: isIP(address) }];
  };
  return createAddressGuard({ ...productionRules, resolve });
}

const proxyUser = `Basic ${Buffer.from("bank:secret").toString("base64")}`;
const forbiddenNames = { "inner.example": ["10.20.0.7"], "rebound.example": ["127.0.0.1"] };

test("a proxy is asked for the address that was judged here, and for none that is forbidden", async (t) => {
  const proxy = await startProxy(t);
  const through = { url: proxy.url, resolvesNames: false };
  const behind = await startReceiver(t, {}, { proxy: through });
  assert.equal((await behind.post({}, "localhost")).status, 200);
  assert.match(proxy.asked.splice(0).join(), new RegExp(`^${proxyUser} (127\\.0\\.0\\.1|\\[::1\\]):${behind.port}$`));
  // The name of TLS is the partner's: this address has a certificate for another one.
  const guard = guardOf({
    ...forbiddenNames,
    "later.example": ["93.184.216.34", "127.0.0.1"],
    "six.example": ["2606:4700::1"],
  });
  const { post, port } = await startReceiver(t, {}, { proxy: through, guard });
  const otherName = { code: "ERR_TLS_CERT_ALTNAME_INVALID", host: "later.example" };
  await assert.rejects(post({}, "later.example"), otherName);
  await assert.rejects(post({}, "six.example"), { ...otherName, host: "six.example" });
  for (const host of [...Object.keys(forbiddenNames), "later.example", "127.0.0.1"]) {
    await assert.rejects(post({}, host), { name: "ForbiddenAddress" }, host);
  }
  await assert.rejects(post({}, "unknown.example"), { code: "ENOTFOUND" });
  const private10 = { networks: ["private:10.20.0.0/16"] };
  await assert.rejects(post(private10, "inner.example"), { ...otherName, host: "inner.example" });
  const addresses = ["93.184.216.34", "[2606:4700::1]", "10.20.0.7"];
  assert.deepEqual(
    proxy.asked,
    addresses.map((address) => `${proxyUser} ${address}:${port}`),
  );
});

test("a proxy that resolves names is asked for them, but for those that lead to a forbidden address here", async (t) => {
  const proxy = await startProxy(t);
  const { post, port } = await startReceiver(
    t,
    {},
    { proxy: { url: proxy.url, resolvesNames: true }, guard: guardOf(forbiddenNames) },
  );
  for (const host of [...Object.keys(forbiddenNames), "127.0.0.1"]) {
    await assert.rejects(post({}, host), { name: "ForbiddenAddress" }, host);
  }
  assert.deepEqual(proxy.asked, []);
  // The receiver's certificate is for another name: TLS stays between the partner and us.
  await assert.rejects(post({}, "unknown.example"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  await assert.rejects(post({ networks: ["private:10.20.0.0/16"] }, "inner.example"), {
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  assert.deepEqual(proxy.asked, [`${proxyUser} unknown.example:${port}`, `${proxyUser} inner.example:${port}`]);
});
