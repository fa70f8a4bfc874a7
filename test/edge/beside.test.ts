/** Pages that the edge serves beside the operations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "undici";
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

test("the documentation loads nothing from elsewhere", async (t) => {
  const edge = await startEdge(t);
  const document = JSON.parse((await get(edge, "/openapi.json")).text);
  assert.equal(document.openapi, "3.1.0");
  for (const path of ["/v1.0/transfer-intrabank", "/v1.0/access-token/b2b"]) assert.ok(document.paths[path], path);
  const page = await get(edge, "/docs/");
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /(?:src|href)="(?:https?:)?\/\//);
  assert.match(String(page.headers["content-security-policy"]), /default-src 'self'/);
  for (const [, path] of page.text.matchAll(/(?:src|href)="\.?\/?(?:docs\/)?([^"]+)"/g)) {
    assert.equal((await get(edge, `/docs/${path}`)).status, 200, path);
  }
});

test("a page has one path: others that lead to it are no pages, and nothing of them is kept", async (t) => {
  const edge = await startEdge(t);
  for (const path of ["/docs/r1/../static/index.css", "/docs/./static/index.css", "/docs//static/index.css"]) {
    const answers = await sendRaw(edge.port, `HEAD ${path} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n`);
    assert.match(answers, /^HTTP\/1\.1 404 /, path);
  }
  assert.equal((await get(edge, "/docs/static/index.css")).status, 200);
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
