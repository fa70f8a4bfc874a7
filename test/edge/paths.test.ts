/** Paths that are served, and the path that is signed (spec D1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersIn, rawCall, sendRaw } from "../support/edge/raw-calls.ts";
import { signCall, startEdge } from "../support/edge/start-edge.ts";

test("prefixes and versions are configuration; the first prefix is announced", async (t) => {
  const paths = { prefixes: ["/openapi", "/snap/a"], versions: ["v1.0", "v1.1"] };
  const edge = await startEdge(t, { settings: { paths } });
  for (const target of ["/openapi/v1.0", "/openapi/v1.1", "/snap/a/v1.0", "/snap/a/v1.1"]) {
    assert.equal((await edge.send({ target: `${target}/transfer-intrabank` })).code, "2001700", target);
  }
  assert.equal((await edge.send({ target: "/v1.0/transfer-intrabank" })).code, "4040000");
  const document = (await (await fetch(`${edge.url}/openapi.json`)).json()) as { readonly paths: object };
  assert.ok(Object.keys(document.paths).every((path) => path.startsWith("/openapi/v1.0/")));
});

test("slashes at the start of a path count as one, in the route and in what is signed", async (t) => {
  const edge = await startEdge(t);
  const target = "/v1.0/transfer-intrabank?a=1";
  for (const sent of ["//", "///"].map((slashes) => slashes + target.slice(1))) {
    const signed = await signCall(edge, { target });
    assert.equal((await edge.send({ target: sent, headers: signed.headers })).code, "2001700", sent);
    assert.equal((await edge.send({ target: sent })).message, "Unauthorized. [Signature]", sent);
  }
  assert.equal((await edge.send({ target: "/v1.0//transfer-intrabank" })).code, "4040000");
});

test("a query belongs to the signed path, not to the route", async (t) => {
  const edge = await startEdge(t);
  assert.equal((await edge.send({ target: "/v1.0/transfer-intrabank?a=1&b=%20" })).code, "2001700");
});

const usual = { prefixes: [""], versions: ["v1.0"] };
const anyRoot = { ...usual, anyRoot: true };

test("the sandbox serves any prefix and any version; the signature covers the path as sent", async (t) => {
  const edge = await startEdge(t, { settings: { paths: anyRoot } });
  const roots = [
    "/v1.0",
    "/v1",
    "/v2.1",
    "/v10.12",
    "/snap/v1.0",
    "/bank-a/open_api/s.n-a_p/v3",
    "/v1.0/v1.0",
    "/Sandbox2/v1",
  ];
  for (const root of roots) {
    const target = `${root}/transfer-intrabank`;
    assert.equal((await edge.send({ target })).code, "2001700", target);
    const { headers } = await signCall(edge, { target: "/v1.0/transfer-interbank" });
    assert.equal((await edge.send({ target, headers })).message, "Unauthorized. [Signature]", target);
  }
  assert.equal((await edge.send({ target: "/snap/v2/transfer-intrabank?a=1" })).code, "2001700");
  const { paths } = (await (await fetch(`${edge.url}/openapi.json`)).json()) as { readonly paths: object };
  assert.ok(Object.keys(paths).every((path) => path.startsWith("/v1.0/")));
});

test("the sandbox serves a known suffix behind nothing else, and an unknown one nowhere", async (t) => {
  const edge = await startEdge(t, { settings: { paths: anyRoot } });
  const roots = ["", "/snap", "/1.0", "/v", "/v1.0.0", "/v1.", "/vx", "/V1.0", "/a~/v1.0", "/%61/v1.0", "/a//v1.0"];
  const dots = ["/a/./v1.0", "/../v1.0"];
  const reserved = [
    "/sandbox",
    "/docs",
    "/health/a",
    "/metrics",
    "/openapi.json",
    "/llms.txt",
    "/assets",
    "/index.html",
  ];
  const suffixes = [
    "transfer-intrabnk",
    "transfer-intrabank/",
    "transfer-intrabank/notify",
    "a/transfer-intrabank",
    "",
  ];
  const targets = [
    ...[...roots, ...dots, ...reserved.map((segment) => `${segment}/v1.0`)].map((root) => `${root}/transfer-intrabank`),
    ...suffixes.map((suffix) => `/snap/v1.0/${suffix}`),
    "/snap/v1.0/transfer-rtgs/notify",
  ];
  for (const target of targets) {
    const call = await rawCall(edge, { head: `POST ${target} HTTP/1.1\r\nHost: t\r\nConnection: close` });
    const [answer] = answersIn(await sendRaw(edge.port, call));
    assert.equal(answer?.code, "4040000", target);
  }
});

test("outside the sandbox no other prefix or version is served than the settings name", async (t) => {
  const edge = await startEdge(t);
  for (const root of ["/snap/v1.0", "/v1", "/v2.0"]) {
    assert.equal((await edge.send({ target: `${root}/transfer-intrabank` })).code, "4040000", root);
  }
});

test("an alias of a path is served beside it, and is what the signature covers", async (t) => {
  const aliases = { intrabankTransfer: ["transfer/intra-bank", "emoney/transfer"] };
  for (const paths of [usual, anyRoot]) {
    const edge = await startEdge(t, { settings: { paths: { ...paths, aliases } } });
    for (const suffix of ["transfer/intra-bank", "emoney/transfer", "transfer-intrabank"]) {
      const target = `/v1.0/${suffix}`;
      assert.equal((await edge.send({ target })).code, "2001700", target);
    }
    const { headers } = await signCall(edge, { target: "/v1.0/transfer-intrabank" });
    assert.equal((await edge.send({ target: "/v1.0/emoney/transfer", headers })).message, "Unauthorized. [Signature]");
    const document = await (await fetch(`${edge.url}/openapi.json`)).text();
    assert.doesNotMatch(document, /emoney/);
  }
});
