/** Paths, methods, sizes and whatever else arrives on a socket: always a well-formed envelope, never a crash (D1, D2, D17). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import type { Handler } from "../../packages/server/src/interfaces/call.ts";
import { eventually } from "../support/black-box/answers.ts";
import { answersIn, rawCall, sendRaw } from "../support/edge/raw-calls.ts";
import { signCall, startEdge, transfer } from "../support/edge/start-edge.ts";

test("unknown paths and versions are 4040000", async (t) => {
  const edge = await startEdge(t);
  const targets = [
    "/",
    "/v1.0",
    "/v1.0/transfer-intrabank/",
    "/v1.0//transfer-intrabank",
    "/v1.0/Transfer-Intrabank",
    "/v1.0/transfer%2Dintrabank",
    "/v1.0/x/../transfer-intrabank",
    "/v2.0/transfer-intrabank",
    "/v1.0/transfer-rtgs/notify",
    "/v1.0/%zz",
    "/v1.0/%",
    `/${"x".repeat(4_000)}`,
  ];
  for (const target of targets) {
    const [answer] = answersIn(
      await sendRaw(
        edge.port,
        await rawCall(edge, { head: `POST ${target} HTTP/1.1\r\nHost: t\r\nConnection: close` }),
      ),
    );
    assert.equal(answer?.status, 404, target);
    assert.deepEqual(answer.fields, { responseCode: "4040000", responseMessage: "Unknown Path" }, target);
  }
  for (const method of ["GET", "DELETE", "OPTIONS"] as const) {
    assert.equal((await edge.send({ method, target: "/v1.0/nothing" })).code, "4040000", method);
  }
  assert.equal(edge.calls.length, 0);
});

test("other methods on a known path are 405xx00 and name the one that is served", async (t) => {
  const edge = await startEdge(t);
  for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] as const) {
    const answer = await edge.send({ method, operation: "statusInquiryBank" });
    assert.equal(answer.status, 405, method);
    assert.equal(answer.code, "4053600", method);
    assert.equal(answer.headers["allow"], "POST", method);
  }
  const head = await edge.send({ method: "HEAD" });
  assert.deepEqual([head.status, head.text], [405, ""]);
});

test("a body is read up to its limit, whether its length is announced or not", async (t) => {
  const edge = await startEdge(t, { settings: { bodyLimit: 2_000 } });
  const body = (size: number) => JSON.stringify(transfer).padEnd(size);
  const chunked = async (size: number) => {
    const text = body(size);
    const chunks = [text.slice(0, 900), text.slice(900)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const head = await rawCall(edge, {
      body: text,
      length: false,
      lines: ["Transfer-Encoding: chunked", "Connection: close"],
    });
    return answersIn(await sendRaw(edge.port, `${head.split("\r\n\r\n")[0]}\r\n\r\n${chunks.join("")}0\r\n\r\n`))[0];
  };
  assert.equal((await edge.send({ body: body(2_000) })).code, "2001700");
  assert.equal((await edge.send({ body: body(2_001) })).message, "Bad Request [Body too large]");
  assert.equal((await chunked(2_000))?.code, "2001700");
  assert.equal((await chunked(2_001))?.message, "Bad Request [Body too large]");
});

test("a caller that sends 1 MiB too much gets its answer while it sends", async (t) => {
  const edge = await startEdge(t);
  const answer = await edge.send({ body: Buffer.alloc(1_048_576, 0x20) });
  assert.equal(answer.message, "Bad Request [Body too large]");
  assert.equal(
    (await edge.send({ operation: "interbankBulkTransfer", body: Buffer.alloc(1_048_576, 0x20) })).code,
    "4002000",
  );
});

test("a caller that expects 100 Continue may go on, or the body is too large", async (t) => {
  const edge = await startEdge(t);
  const fine = await sendRaw(edge.port, await rawCall(edge, { lines: ["Expect: 100-continue", "Connection: close"] }));
  assert.match(fine, /^HTTP\/1\.1 100 Continue/);
  assert.equal(answersIn(fine)[0]?.code, "2001700");
  const { headers, target } = await signCall(edge, {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`POST ${target} HTTP/1.1`, "Host: t", "Expect: 100-continue", "Content-Length: 70000", ...lines];
  const large = await sendRaw(edge.port, `${head.join("\r\n")}\r\n\r\n`);
  assert.doesNotMatch(large, /100 Continue/);
  assert.equal(answersIn(large)[0]?.message, "Bad Request [Body too large]");
  const strange = await sendRaw(edge.port, await rawCall(edge, { lines: ["Expect: a-miracle", "Connection: close"] }));
  assert.equal(answersIn(strange)[0]?.code, "2001700");
});

test("an absent body is signed as no bytes, and is not JSON", async (t) => {
  const edge = await startEdge(t);
  assert.equal((await edge.send({ body: "" })).code, "4001700");
});

test("header values are judged as they are sent", async (t) => {
  const edge = await startEdge(t);
  const cases: readonly [string, string | undefined, string, string][] = [
    ["Content-Type", undefined, "4001702", "Content-Type"],
    ["Content-Type", "text/plain", "4001701", "Content-Type"],
    ["Content-Type", "nonsense", "4001701", "Content-Type"],
    ["X-TIMESTAMP", undefined, "4001702", "X-TIMESTAMP"],
    ["X-TIMESTAMP", "2026-11-21T10:00:00", "4001701", "X-TIMESTAMP"],
    ["X-TIMESTAMP", "2026-02-30T10:00:00+07:00", "4001701", "X-TIMESTAMP"],
    ["X-SIGNATURE", "", "4001702", "X-SIGNATURE"],
    ["X-PARTNER-ID", "x".repeat(37), "4001701", "X-PARTNER-ID"],
    ["X-EXTERNAL-ID", "x".repeat(37), "4001701", "X-EXTERNAL-ID"],
    ["X-EXTERNAL-ID", "x".repeat(5_000), "4001701", "X-EXTERNAL-ID"],
    ["X-EXTERNAL-ID", "a/b", "4001701", "X-EXTERNAL-ID"],
    ["CHANNEL-ID", "952211", "4001701", "CHANNEL-ID"],
    ["CHANNEL-ID", undefined, "4001702", "CHANNEL-ID"],
    ["Content-Encoding", "gzip", "4001701", "Content-Encoding"],
  ];
  for (const [name, value, code, field] of cases) {
    const answer = await edge.send({ headers: { [name]: value } });
    assert.equal(answer.code, code, `${name}: ${value}`);
    assert.ok(answer.message.endsWith(` ${field}`), answer.message);
  }
  for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]) {
    assert.equal((await edge.send({ headers: { "Content-Type": type } })).code, "2001700", type);
  }
  for (const name of ["ORIGIN", "X-IP-ADDRESS", "X-DEVICE-ID", "X-LATITUDE", "X-LONGITUDE"]) {
    assert.equal((await edge.send({ headers: { [name]: "any form" } })).code, "2001700", name);
  }
  const twice = await sendRaw(edge.port, await rawCall(edge, { lines: ["X-EXTERNAL-ID: 2", "Connection: close"] }));
  assert.equal(answersIn(twice)[0]?.message, "Invalid Field Format X-EXTERNAL-ID");
});

test("digits only is a setting for X-EXTERNAL-ID", async (t) => {
  const strict = await startEdge(t, { settings: { externalIdDigitsOnly: true } });
  assert.equal((await strict.send({ headers: { "X-EXTERNAL-ID": "abc-1" } })).code, "4001701");
  assert.equal((await strict.send({})).code, "2001700");
  const open = await startEdge(t);
  assert.equal((await open.send({ headers: { "X-EXTERNAL-ID": "abc-1.2_3" } })).code, "2001700");
});

test("bytes that are not HTTP get an envelope and lose their connection", async (t) => {
  const edge = await startEdge(t);
  const malformed = [
    "\x16\x03\x01 this is TLS\r\n\r\n",
    "POST\r\n\r\n",
    "POST /v1.0/transfer-intrabank FTP/9\r\n\r\n",
    "POST /v1.0/transfer-intrabank HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n",
    "POST /v1.0/transfer-intrabank HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /v1.0/transfer-intrabank HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    `POST /v1.0/transfer-intrabank HTTP/1.1\r\nHost: t\r\nX-SIGNATURE: ${"x".repeat(20_000)}\r\n\r\n`,
    "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n",
  ];
  for (const bytes of malformed) {
    const [answer] = answersIn(await sendRaw(edge.port, bytes));
    assert.equal(answer?.status, 400, bytes.slice(0, 90));
    assert.deepEqual(answer.fields, { responseCode: "4000000", responseMessage: "Bad Request" });
    assert.match(String(answer.headers["head"]), /^X-TIMESTAMP: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/m);
  }
  const [noHost] = answersIn(
    await sendRaw(
      edge.port,
      await rawCall(edge, { head: "POST /v1.0/transfer-intrabank HTTP/1.1\r\nConnection: close" }),
    ),
  );
  assert.equal(noHost?.code, "4000000");
  assert.equal((await edge.send({})).code, "2001700");
});

test("pipelined calls are answered in order", async (t) => {
  const edge = await startEdge(t);
  const [first, second] = [await rawCall(edge), await rawCall(edge, { body: "{}", lines: ["Connection: close"] })];
  const answers = answersIn(await sendRaw(edge.port, first + second));
  assert.deepEqual(
    answers.map(({ code }) => code),
    ["2001700", "4001702"],
  );
});

/** Transfers succeed once `finish` is resolved; `reached` is when the first waits for it. */
async function startHeldEdge(t: TestContext) {
  const [reached, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const intrabankTransfer: Handler = async () => {
    reached.resolve();
    await finish.promise;
    return { case: "success" };
  };
  return { edge: await startEdge(t, { handlers: { intrabankTransfer } }), reached, finish };
}

test("garbage behind a call is never taken for the call's answer", async (t) => {
  const { edge, reached, finish } = await startHeldEdge(t);
  const socket = connect(edge.port, "127.0.0.1");
  const closed = once(socket, "close");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  socket.write(await rawCall(edge));
  await reached.promise;
  socket.write("\x00\x01 garbage\r\n\r\n");
  await closed;
  finish.resolve();
  assert.equal(text, "");
});

test("nothing behind a CONNECT is read", async (t) => {
  const edge = await startEdge(t);
  const head = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n";
  const calls = (await rawCall(edge)).repeat(3);
  const answers = answersIn(await sendRaw(edge.port, head + calls));
  assert.deepEqual(
    answers.map(({ code }) => code),
    ["4000000"],
  );
  assert.equal(edge.calls.length, 0);
  assert.equal((await edge.send({})).code, "2001700");
});

test("a caller that leaves in the middle of its body harms nobody", async (t) => {
  const edge = await startEdge(t);
  const bytes = await rawCall(edge);
  const socket = connect(edge.port, "127.0.0.1");
  await once(socket, "connect");
  await new Promise<void>((resolve) => socket.write(bytes.slice(0, -20), () => resolve()));
  socket.destroy();
  assert.equal((await edge.send({})).code, "2001700");
  assert.equal(edge.calls.length, 1);
});

test("closing lets the running call finish and closes its connection", async (t) => {
  const { edge, reached, finish } = await startHeldEdge(t);
  const answer = rawCall(edge).then((bytes) => sendRaw(edge.port, bytes));
  await reached.promise;
  const closed = edge.edge.close();
  // A connection of the last moment before the listener closes may still be taken, or reset.
  await eventually(async () => (await connectionError(edge.port)) === "ECONNREFUSED", 5);
  finish.resolve();
  await closed;
  assert.match(await answer, /Connection: close[^]*"2001700"/);
});

/** The code of the error with which a connection ends before it is open; undefined: it opened. */
async function connectionError(port: number): Promise<unknown> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  } finally {
    socket.destroy();
  }
}

test("closing does not wait longer than it is allowed to", async (t) => {
  const reached = Promise.withResolvers<void>();
  const edge = await startEdge(t, {
    handlers: {
      intrabankTransfer: () => {
        reached.resolve();
        return new Promise(() => undefined);
      },
    },
  });
  const answer = rawCall(edge).then((bytes) => sendRaw(edge.port, bytes));
  await reached.promise;
  await edge.edge.close(10);
  assert.equal(await answer, "");
});
