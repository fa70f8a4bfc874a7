/** Limits of callers without credentials: they take nothing from a node that a partner needs (spec D2, D17). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { operations } from "@titian/contract";
import { request } from "undici";
import { eventually } from "../support/black-box/answers.ts";
import { answersIn, rawCall, sendRaw } from "../support/edge/raw-calls.ts";
import { readMetric } from "../support/edge/read-metric.ts";
import { signCall, startEdge, type TestEdge } from "../support/edge/start-edge.ts";

const mebibyte = 1_048_576;

/** A connection from one of the loopback's addresses that stays open until the test ends. */
async function open(t: TestContext, edge: TestEdge, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: edge.port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** The first response on the connection. */
async function firstAnswer(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return bytes.toString();
}

test("1,764 requests for a page in one packet: all are answered, the page is made once a second", async (t) => {
  const edge = await startEdge(t);
  const begunAt = performance.now();
  const one = "GET /health/ready HTTP/1.1\r\nHost: t\r\n\r\n";
  const all = sendRaw(edge.port, one.repeat(1_763) + one.replace("Host: t", "Host: t\r\nConnection: close"));
  assert.equal((await edge.send({})).code, "2001700");
  const answers = (await all).split("HTTP/1.1 200 OK").length - 1;
  assert.equal(answers, 1_764);
  const seconds = Math.ceil((performance.now() - begunAt) / 1_000);
  assert.ok(edge.state.readinessAsked <= seconds + 1, `asked ${edge.state.readinessAsked} times in ${seconds} s`);
});

test("one connection has at most 16 calls under way, and all are answered in their order", async (t) => {
  const reached = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const edge = await startEdge(t, {
    handlers: {
      intrabankTransfer: async () => {
        if (edge.calls.length === 17) reached.resolve();
        if (edge.calls.length > 1) await finish.promise;
        return { case: "success" };
      },
    },
  });
  const calls = await Promise.all(Array.from({ length: 40 }, () => rawCall(edge)));
  calls.push(await rawCall(edge, { body: "{}", lines: ["Connection: close"] }));
  const answers = sendRaw(edge.port, calls.join(""));
  await reached.promise;
  // Whatever else the packets hold is parsed by then.
  assert.equal((await edge.send({ operation: "statusInquiryBank" })).status, 400);
  assert.equal(edge.calls.length, 17);
  finish.resolve();
  assert.deepEqual(
    answersIn(await answers).map(({ code }) => code),
    [...Array<string>(40).fill("2001700"), "4001702"],
  );
});

test("nothing of a body is awaited on a path that nobody serves, or where the headers are not in order", async (t) => {
  const edge = await startEdge(t);
  const { headers, target } = await signCall(edge, { headers: { Authorization: "Bearer unknown" } });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = ["Host: t", "Content-Length: 60000", ...lines].join("\r\n");
  for (const [path, code] of [
    ["/nothing", "4040000"],
    ["/health/ready", "4040000"],
    [target, "4011701"],
    ["/v1.0/access-token/b2b", "4007302"],
  ] as const) {
    const socket = await open(t, edge);
    socket.write(`POST ${path} HTTP/1.1\r\n${rest}\r\n\r\n{`);
    assert.match(await firstAnswer(socket), new RegExp(`"${code}"`), path);
    // The rest of the body is no request.
    socket.write(`${"x".repeat(59_999)}GET /health/live HTTP/1.1\r\nHost: t\r\n\r\n`);
    assert.match(await firstAnswer(socket), /"live"/, path);
  }
});

test("a caller that expects 100 Continue is rejected by its headers, and never asked to go on", async (t) => {
  const edge = await startEdge(t);
  const bytes = await rawCall(edge, { lines: ["Expect: 100-continue", "Connection: close"] });
  const rejected = await sendRaw(edge.port, bytes.replace(/Bearer [^\r]+/, "Bearer unknown"));
  assert.doesNotMatch(rejected, /100 Continue/);
  assert.equal(answersIn(rejected)[0]?.code, "4011701");
});

test("unfinished bodies of strangers fill the share of their address alone", async (t) => {
  const edge = await startEdge(t, { settings: { bulkBodyLimit: 65_536 } });
  const body = " ".repeat(65_536);
  const whole = await rawCall(edge, { signing: "asymmetric", body });
  const unfinished: Socket[] = [];
  // 2 MiB are kept, which is 32 of them.
  for (let i = 0; i < 40; i += 1) unfinished.push(await open(t, edge, "127.0.0.2"));
  const answers = unfinished.map(firstAnswer);
  for (const socket of unfinished) socket.write(whole.slice(0, -10));
  assert.match(await Promise.any(answers), /"5031700"/);
  for (const signing of ["asymmetric", "symmetric"] as const) {
    const call = await rawCall(edge, { signing, lines: ["Connection: close"] });
    const socket = await open(t, edge);
    socket.write(call.slice(0, -10));
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(call.slice(-10));
    assert.match(await firstAnswer(socket), /"2001700"/, signing);
  }
  for (const socket of unfinished) socket.destroy();
});

test("unfinished bodies of 16 addresses fill the pool, and leave room for a call whose signature comes with the body", async (t) => {
  const edge = await startEdge(t, { settings: { bodyLimit: mebibyte } });
  const large = await rawCall(edge, { signing: "asymmetric", body: " ".repeat(mebibyte) });
  const unfinished: Socket[] = [];
  for (let i = 0; i < 32; i += 1) unfinished.push(await open(t, edge, `127.0.0.${10 + (i % 16)}`));
  for (const socket of unfinished) socket.write(large.slice(0, -2));
  const isKept = async (bytes: number) => (await readMetric(edge, "titian_http_unfinished_body_bytes")) >= bytes;
  const full = 32 * (mebibyte - 2);
  await eventually(() => isKept(full), 5);
  const call = await rawCall(edge, { signing: "asymmetric" });
  const partner = await open(t, edge);
  const answer = firstAnswer(partner);
  partner.write(call.slice(0, -10));
  await eventually(async () => partner.bytesRead > 0 || (await isKept(full + 1)), 5);
  partner.write(call.slice(-10));
  assert.match(await answer, /"2001700"/);
  for (const socket of unfinished) socket.destroy();
});

test("unfinished bulks of 8 MiB that strangers send in a partner's name keep no bulk out that has a token, or comes from a listed address", async (t) => {
  const handlers = { interbankBulkTransfer: () => Promise.resolve({ case: "success" } as const) };
  const edge = await startEdge(t, { handlers });
  const bulk = JSON.stringify(operations.interbankBulkTransfer.example.request).padEnd(8 * mebibyte);
  const stranger = await signCall(edge, { operation: "interbankBulkTransfer", signing: "asymmetric", body: bulk });
  const head = (signed: typeof stranger) =>
    [
      `POST ${signed.target} HTTP/1.1`,
      "Host: t",
      ...Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${bulk.length}`,
    ].join("\r\n");
  const unfinished: Socket[] = [];
  for (let i = 0; i < 4; i += 1) unfinished.push(await open(t, edge, `127.0.0.${10 + i}`));
  for (const socket of unfinished) socket.write(`${head(stranger)}\r\n\r\n${bulk.slice(0, -1)}`);
  const full = 4 * (8 * mebibyte - 1);
  const isFull = async () => (await readMetric(edge, "titian_http_unfinished_body_bytes")) >= full;
  await eventually(isFull, 5);
  edge.state.asymmetric = { ...edge.state.asymmetric, addresses: ["127.0.0.1"] };
  for (const signing of ["symmetric", "asymmetric"] as const) {
    const { code } = await edge.send({ operation: "interbankBulkTransfer", signing, body: bulk });
    assert.equal(code, "2002000", signing);
  }
  for (const socket of unfinished) socket.destroy();
});

test("a partner's own calls go through where strangers fill the share of its address, or of its list, in its name", async (t) => {
  const edge = await startEdge(t, { settings: { bodyLimit: mebibyte } });
  const large = await rawCall(edge, { signing: "asymmetric", body: " ".repeat(mebibyte) });
  for (const addresses of [[], ["127.0.0.1"]]) {
    edge.state.asymmetric = { ...edge.state.asymmetric, addresses };
    const partner = await open(t, edge);
    partner.write(await rawCall(edge, { signing: "asymmetric" }));
    assert.match(await firstAnswer(partner), /"2001700"/);
    const unfinished: Socket[] = [];
    for (let i = 0; i < 20; i += 1) unfinished.push(await open(t, edge));
    const answers = unfinished.map(firstAnswer);
    for (const socket of unfinished) socket.write(large.slice(0, -2));
    assert.match(await Promise.any(answers), /"5031700"/);
    // Over a connection that it has authenticated on, and over a new one.
    for (const socket of [partner, await open(t, edge)]) {
      const call = await rawCall(edge, { signing: "asymmetric" });
      socket.write(call.slice(0, -10));
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(call.slice(-10));
      assert.match(await firstAnswer(socket), /"2001700"/);
    }
    for (const socket of unfinished) socket.destroy();
  }
});

test("an address with too many connections loses its oldest, never one that a partner has authenticated on", async (t) => {
  const edge = await startEdge(t, { limits: { shares: { ofAddress: 3, ofAll: 100, ofPartner: 2 } } });
  const partner = await open(t, edge);
  partner.write(await rawCall(edge));
  assert.match(await firstAnswer(partner), /"2001700"/);
  const [first, ...others] = [await open(t, edge), await open(t, edge), await open(t, edge), await open(t, edge)];
  assert.ok(first);
  await once(first, "close");
  for (const socket of [partner, ...others]) {
    socket.write(await rawCall(edge));
    assert.match(await firstAnswer(socket), /"2001700"/);
  }
  // Its third and fourth connection were one and two too many for the partner.
  for (const socket of others.slice(1)) if (!socket.destroyed) await once(socket, "close");
  assert.equal(partner.destroyed, false);
  assert.ok((await readMetric(edge, 'titian_http_connections_cut_total{reason="unauthenticated"}')) >= 1);
});

test("a caller that asks and never reads is cut off", async (t) => {
  const edge = await startEdge(t, { limits: { idleWriteMs: 500 } });
  const socket = await open(t, edge);
  socket.pause();
  socket.write("GET /docs/assets/search-en.json HTTP/1.1\r\nHost: t\r\n\r\n".repeat(120));
  const name = 'titian_http_connections_cut_total{reason="idle"}';
  const other = await startEdge(t);
  await eventually(async () => {
    await request(`${other.url}/health/live`).then(({ body }) => body.dump());
    return (await readMetric(edge, name)) > 0;
  }, 5);
});

test("the management listener has the pages, and the main address only where it is to", async (t) => {
  const management = { port: 0, host: "127.0.0.1", alsoOnMain: false };
  const edge = await startEdge(t, { management });
  for (const path of ["/metrics", "/health/live", "/health/ready", "/openapi.json", "/docs"]) {
    assert.equal((await request(`${edge.managementUrl}${path}`)).statusCode, 200, path);
    assert.equal((await request(`${edge.url}${path}`)).statusCode, 404, path);
  }
  assert.equal((await request(`${edge.url}/%6detrics`)).statusCode, 404);
  assert.equal((await request(`${edge.managementUrl}/v1.0/transfer-intrabank`, { method: "POST" })).statusCode, 404);
  assert.equal((await edge.send({})).code, "2001700");
  const both = await startEdge(t, { management: { ...management, alsoOnMain: true } });
  assert.equal((await request(`${both.url}/health/ready`)).statusCode, 200);
});

test("who is not let in, and why: a count by reason, a line for the first and every hundredth", async (t) => {
  const edge = await startEdge(t, { logLevel: "info" });
  for (let i = 0; i < 100; i += 1) await edge.send({ secret: "wrong" });
  await edge.send({ headers: { "X-PARTNER-ID": "made-up-1" } });
  await edge.send({ headers: { "X-PARTNER-ID": "made-up-2" } });
  await edge.send({ headers: { Authorization: undefined } });
  const lines = edge.logLines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "authentication.failed")
    .map(({ partner, address, reason, count }) => [partner, address, reason, count]);
  assert.deepEqual(lines, [
    ["P-HMAC", "127.0.0.1", "signature", 1],
    ["P-HMAC", "127.0.0.1", "signature", 100],
    ["made-up-1", "127.0.0.1", "unknown_client", 1],
    ["P-HMAC", "127.0.0.1", "token_missing", 1],
  ]);
  assert.equal(await readMetric(edge, 'titian_authentication_failures_total{reason="signature"}'), 100);
});
