/** Which paths are served, and which path is signed (spec D1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signCall, startEdge } from "../support/edge/start-edge.ts";

test("prefixes and versions are configuration; the first prefix is announced", async (t) => {
  const edge = await startEdge(t, { settings: { pathPrefixes: ["/openapi", "/snap/a"], versions: ["v1.0", "v1.1"] } });
  for (const target of ["/openapi/v1.0", "/openapi/v1.1", "/snap/a/v1.0", "/snap/a/v1.1"]) {
    assert.equal((await edge.send({ target: `${target}/transfer-intrabank` })).code, "2001700", target);
  }
  assert.equal((await edge.send({ target: "/v1.0/transfer-intrabank" })).code, "4040000");
  const { paths } = (await (await fetch(`${edge.url}/openapi.json`)).json()) as { readonly paths: object };
  assert.ok(Object.keys(paths).every((path) => path.startsWith("/openapi/v1.0/")));
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
