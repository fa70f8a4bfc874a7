/** Pages that the edge serves beside the operations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { operations } from "@titian/contract";
import { request } from "undici";
import type { Edge, EdgeDeps } from "../../packages/server/src/edge/create-edge.ts";
import { eventually } from "../support/black-box/answers.ts";
import { sendRaw } from "../support/edge/raw-calls.ts";
import { startEdge, type TestEdge } from "../support/edge/start-edge.ts";

async function get(edge: TestEdge, path: string) {
  const response = await request(`${edge.url}${path}`);
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

test("live is always 200, ready is what the server says", async (t) => {
  const edge = await startEdge(t);
  assert.deepEqual(JSON.parse((await get(edge, "/health/live")).text), { status: "live" });
  assert.equal((await get(edge, "/health/ready")).status, 200);
  edge.state.ready = false;
  edge.edge.refreshHealth();
  const { status, text } = await get(edge, "/health/ready");
  assert.equal(status, 503);
  assert.deepEqual(JSON.parse(text), { status: "notReady", checks: { database: "down" } });
});

test("metrics count answers by operation and case, and tell the event loop's delay", async (t) => {
  const edge = await startEdge(t);
  await edge.send({});
  await edge.send({});
  await edge.send({ secret: "wrong" });
  const { headers, text } = await get(edge, "/metrics");
  assert.match(String(headers["content-type"]), /^text\/plain/);
  assert.match(text, /titian_http_responses_total\{operation="intrabankTransfer",case="success"\} 2\n/);
  assert.match(text, /titian_http_responses_total\{operation="intrabankTransfer",case="unauthorized"\} 1\n/);
  // Only authenticated requests are timed.
  assert.match(text, /titian_http_request_duration_seconds_bucket\{operation="intrabankTransfer",le="\+Inf"\} 2\n/);
  assert.match(text, /titian_http_request_duration_seconds_count\{operation="intrabankTransfer"\} 2\n/);
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/);
});

test("the reference is the same on any host, loads nothing from elsewhere and is kept out of frames", async (t) => {
  const edge = await startEdge(t);
  const document = JSON.parse((await get(edge, "/openapi.json")).text);
  assert.equal(document.openapi, "3.1.0");
  for (const path of ["/v1.0/transfer-intrabank", "/v1.0/access-token/b2b"]) assert.ok(document.paths[path], path);
  const page = await get(edge, "/docs");
  assert.equal(page.status, 200);
  const policy = String(page.headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/);
  // Off localhost, a browser that is to upgrade requests loads neither style nor script over http.
  assert.doesNotMatch(policy, /upgrade-insecure-requests|unsafe|https?:/);
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  assert.equal(page.headers["x-frame-options"], "DENY");
  assert.equal(page.headers["referrer-policy"], "no-referrer");
  assert.doesNotMatch(page.text, /(?:src|href)="(?:https?:)?\/\/|<style|<script>|\son\w+="|\sstyle="/);
  const loaded = [...page.text.matchAll(/<(?:link|script|img)\b[^>]*? (?:src|href)="([^"]+)"/g)];
  assert.ok(loaded.length >= 6);
  for (const [, path = ""] of loaded) assert.equal((await get(edge, path)).status, 200, path);
  for (const [accepted, encoding] of [
    ["br, gzip;q=0.5", "gzip"],
    ["gzip;q=0, br", undefined],
  ] as const) {
    const sent = await request(`${edge.url}/docs`, { headers: { "accept-encoding": accepted } });
    const body = Buffer.from(await sent.body.arrayBuffer());
    assert.equal(sent.headers["content-encoding"], encoding, accepted);
    assert.equal(String(encoding === undefined ? body : gunzipSync(body)), page.text);
    assert.match(String(sent.headers["vary"]), /Accept-Encoding/);
  }
  for (const host of ["bank.example", "10.0.0.7:8080", "[2001:db8::1]"]) {
    const other = await request(`${edge.url}/docs`, { headers: { host } });
    assert.equal(await other.body.text(), page.text, host);
  }
});

test("the document names the address asked where that is one of ours, and rows with other examples are asked for again", async (t) => {
  let asked = 0;
  const documentSource: EdgeDeps["documentSource"] = {
    rows: async () => {
      asked += 1;
      return [operations.intrabankTransfer];
    },
    serverUrl: (host) => (host?.startsWith("ours") === true ? `http://${host}` : undefined),
  };
  const edge = await startEdge(t, { documentSource });
  const documentAt = async (host: string) => {
    const headers = { host };
    const { body } = await request(`${edge.url}/openapi.json`, { headers });
    return (await body.json()) as { readonly servers?: readonly object[]; readonly paths: object };
  };
  assert.deepEqual((await documentAt("ours:1")).servers, [{ url: "http://ours:1" }]);
  assert.deepEqual((await documentAt("ours:2")).servers, [{ url: "http://ours:2" }]);
  const strange = await documentAt("evil.example");
  assert.ok(!("servers" in strange));
  assert.deepEqual(Object.keys(strange.paths), ["/v1.0/transfer-intrabank"]);
  await documentAt("evil2.example");
  assert.equal(asked, 3, "one document for every strange host");
  const before = edge.clock.monotonic();
  await eventually(async () => edge.clock.monotonic() > before + 1_000);
  await documentAt("ours:1");
  assert.equal(asked, 4);
});

test("a page that the reader has is not sent again, and one that is not there is a page in the reader's language", async (t) => {
  const edge = await startEdge(t);
  const { headers } = await get(edge, "/docs/intrabankTransfer");
  const again = await request(`${edge.url}/docs/intrabankTransfer`, {
    headers: { "if-none-match": String(headers["etag"]) },
  });
  assert.deepEqual([again.statusCode, await again.body.text()], [304, ""]);
  const missing = await request(`${edge.url}/docs/nothing`, { headers: { "accept-language": "id" } });
  assert.equal(missing.statusCode, 404);
  assert.match(await missing.body.text(), /Halaman ini tidak ada/);
  assert.match((await get(edge, "/llms.txt")).text, /\/docs\/intrabankTransfer\.md/);
  const head = await sendRaw(edge.port, "HEAD /docs/./codes HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 404 /);
  assert.match(head, /\r\n\r\n$/);
  assert.equal(JSON.parse((await get(edge, "/docsx")).text).responseCode, "4040000");
});

test("routes can be mounted under a prefix, and their failures stay theirs", async (t) => {
  const edge = await startEdge(t, {
    beforeListen: (mounted) =>
      mounted.mount("/sandbox", async (app) => {
        app.get("/clock", (_request, reply) => reply.send({ now: 1 }));
        app.post("/broken", () => Promise.reject(new Error("broken")));
      }),
  });
  assert.deepEqual(JSON.parse((await get(edge, "/sandbox/clock")).text), { now: 1 });
  assert.equal(JSON.parse((await get(edge, "/sandbox/nothing")).text).responseCode, "4040000");
  const broken = await request(`${edge.url}/sandbox/broken`, { method: "POST" });
  assert.equal(broken.statusCode, 500);
  assert.deepEqual(await broken.body.json(), { responseCode: "5000000", responseMessage: "General Error" });
  assert.match(edge.logLines.join("\n"), new RegExp(String(broken.headers["x-correlation-id"])));
  const unreadable = await request(`${edge.url}/sandbox/broken`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  assert.equal(unreadable.statusCode, 400);
});

test("routes can be mounted where the pages are, and are there alone", async (t) => {
  const mount = (edge: Edge) =>
    edge.mountOnManagement("/control", async (app) => {
      app.post("/echo", (call, reply) => reply.send({ got: call.body }));
    });
  const management = { port: 0, host: "127.0.0.1", alsoOnMain: false };
  const apart = await startEdge(t, { management, beforeListen: mount });
  const post = (url: string) =>
    request(`${url}/control/echo`, { method: "POST", headers: { "content-type": "application/json" }, body: "[7]" });
  const answer = await post(apart.managementUrl);
  assert.deepEqual(await answer.body.json(), { got: [7] });
  assert.equal((await post(apart.url)).statusCode, 404);
  const unknown = await request(`${apart.managementUrl}/nothing`);
  assert.equal(((await unknown.body.json()) as { responseCode: string }).responseCode, "4040000");
  assert.equal((await request(`${apart.managementUrl}/health/live`)).statusCode, 200);
  const together = await startEdge(t, { beforeListen: mount });
  assert.equal((await post(together.url)).statusCode, 200);
});

test("the management listener answers under addresses and names of ours alone, the main one once they are set", async (t) => {
  const management = { port: 0, host: "127.0.0.1", alsoOnMain: false };
  const statusesOf = async (hosts: readonly string[], name: string) => {
    const edge = await startEdge(t, { management, settings: { hosts } });
    const ports = [edge.port, Number(new URL(edge.managementUrl).port)];
    const lines = (port: number) => `Host: ${name}:${port}\r\nConnection: close\r\n\r\n`;
    const all = ports.map((port) => sendRaw(port, `GET /health/live HTTP/1.1\r\n${lines(port)}`));
    return (await Promise.all(all)).map((text) => text.slice(9, 12));
  };
  // The pages are not on the main one.
  assert.deepEqual(await statusesOf([], "titian"), ["404", "400"]);
  assert.deepEqual(await statusesOf(["titian"], "titian"), ["404", "200"]);
  assert.deepEqual(await statusesOf(["titian"], "evil.example"), ["400", "400"]);
  for (const name of ["10.1.2.3", "localhost"])
    assert.deepEqual(await statusesOf(["titian"], name), ["404", "200"], name);
  const edge = await startEdge(t, { settings: { hosts: ["titian"] } });
  assert.match(await sendRaw(edge.port, "GET /health/live HTTP/1.0\r\n\r\n"), / 200 OK/, "a probe without Host");
});
