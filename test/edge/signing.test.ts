/** Signatures over the bytes as they were received, in both modes (spec D4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashBody } from "@titian/contract";
import { signCall, startEdge, transfer } from "../support/edge/start-edge.ts";

const compact = JSON.stringify({ ...transfer, remark: 'two  spaces, "quoted" ' });
const pretty = JSON.stringify(JSON.parse(compact), null, 2).replaceAll("\n", "\r\n\t");

test("both modes verify over the bytes that were sent", async (t) => {
  const edge = await startEdge(t);
  for (const signing of ["symmetric", "asymmetric"] as const) {
    assert.equal((await edge.send({ signing, body: compact })).code, "2001700", signing);
    assert.equal((await edge.send({ signing, body: pretty })).code, "2001700", signing);
  }
});

test("hex is read as Base64 is, in either case, and reaches operations as Base64", async (t) => {
  const edge = await startEdge(t);
  for (const signing of ["symmetric", "asymmetric"] as const) {
    const { headers } = await signCall(edge, { signing });
    const base64 = headers["X-SIGNATURE"] ?? "";
    const hex = Buffer.from(base64, "base64").toString("hex");
    edge.calls.length = 0;
    for (const spelling of [base64, hex, hex.toUpperCase()]) {
      const answer = await edge.send({ signing, headers: { ...headers, "X-SIGNATURE": spelling } });
      assert.equal(answer.code, "2001700", spelling);
    }
    assert.deepEqual(new Set(edge.calls.map(({ signature }) => signature)), new Set([base64]));
    for (const spelling of [hex.slice(2), `${hex}00`, `${hex.slice(0, -1)}g`]) {
      const answer = await edge.send({ signing, headers: { ...headers, "X-SIGNATURE": spelling } });
      assert.equal(answer.message, "Unauthorized. [Signature]", spelling);
    }
  }
});

test("a changed body, path or time does not verify", async (t) => {
  const edge = await startEdge(t);
  for (const signing of ["symmetric", "asymmetric"] as const) {
    const changed = compact.replace("10000.00", "10000.01");
    assert.equal((await edge.send({ signing, body: changed, signedBody: compact })).code, "4011700", signing);
    const spaceLost = compact.replace("two  spaces", "two spaces");
    assert.equal((await edge.send({ signing, body: spaceLost, signedBody: compact })).code, "4011700", signing);
  }
});

test("a pretty body signed in its minified form verifies where the partner may, and only then", async (t) => {
  const edge = await startEdge(t);
  for (const signing of ["symmetric", "asymmetric"] as const) {
    const recipe = { signing, body: pretty, signedBody: compact };
    assert.equal((await edge.send(recipe)).code, "2001700", signing);
    // Minified is what is sent, not the other way round.
    assert.equal((await edge.send({ signing, body: compact, signedBody: pretty })).code, "4011700", signing);
    edge.state[signing] = { ...edge.state[signing], acceptsMinifiedSignature: false };
    assert.equal((await edge.send(recipe)).message, "Unauthorized. [Signature]", signing);
    assert.equal((await edge.send({ signing, body: pretty })).code, "2001700", signing);
  }
});

test("the call carries one hash for all spellings of white space", async (t) => {
  const edge = await startEdge(t);
  for (const body of [compact, pretty, ` ${compact}\n`]) await edge.send({ body });
  assert.deepEqual(new Set(edge.calls.map(({ bodyHash }) => bodyHash)), new Set([hashBody(Buffer.from(compact))]));
});

test("during a rotation either secret verifies", async (t) => {
  const edge = await startEdge(t);
  edge.state.symmetric = { ...edge.state.symmetric, secrets: ["new", "old"] };
  for (const secret of ["new", "old"]) assert.equal((await edge.send({ secret })).code, "2001700", secret);
  assert.equal((await edge.send({ secret: "older" })).message, "Unauthorized. [Signature]");
});

test("a signature of whatever form that does not verify is unauthorized, in both modes", async (t) => {
  const edge = await startEdge(t);
  const forms = ["x", "=", "AAAA", "a".repeat(128), "%00", "é", "x".repeat(10_000), `${"A".repeat(86)}==`, "Bearer x"];
  for (const signing of ["symmetric", "asymmetric"] as const) {
    for (const signature of forms) {
      const answer = await edge.send({ signing, headers: { "X-SIGNATURE": signature } });
      assert.equal(answer.message, "Unauthorized. [Signature]", `${signing} ${signature.slice(0, 20)}`);
    }
  }
});

test("a key that cannot be read verifies nothing and breaks nothing", async (t) => {
  const edge = await startEdge(t);
  const usable = edge.state.asymmetric.publicKeys;
  edge.state.asymmetric = { ...edge.state.asymmetric, publicKeys: ["not a key"] };
  assert.equal((await edge.send({ signing: "asymmetric" })).message, "Unauthorized. [Signature]");
  edge.state.asymmetric = { ...edge.state.asymmetric, publicKeys: ["not a key", ...usable] };
  assert.equal((await edge.send({ signing: "asymmetric" })).code, "2001700");
});

test("a signature that only a secret which does not open could verify is answered 503, and taken with one that opens", async (t) => {
  const edge = await startEdge(t);
  const { symmetric, asymmetric } = edge.state;
  const [own = ""] = symmetric.secrets;
  edge.state.symmetric = { ...symmetric, secrets: [own], unreadableSecrets: 1 };
  const unjudged = await edge.send({ secret: "the-damaged-one" });
  assert.deepEqual([unjudged.code, unjudged.headers["retry-after"]], ["5031700", "60"]);
  // Nothing was verified: the connection is not yet the partner's.
  const metrics = await (await fetch(`${edge.managementUrl}/metrics`)).text();
  assert.match(metrics, /^titian_http_connections\{authenticated="true"\} 0$/m);
  assert.equal((await edge.send({})).code, "2001700");
  // Without a token of the partner nobody learns of it, and mode 2 needs no secret.
  const stranger = await edge.send({ secret: "guessed", headers: { Authorization: "Bearer a.b.c" } });
  assert.equal(stranger.code, "4011701");
  edge.state.asymmetric = { ...asymmetric, unreadableSecrets: 1 };
  assert.equal((await edge.send({ signing: "asymmetric" })).code, "2001700");
  const changed = { signing: "asymmetric", body: pretty, signedBody: `${compact} ` } as const;
  assert.equal((await edge.send(changed)).code, "4011700");
});
