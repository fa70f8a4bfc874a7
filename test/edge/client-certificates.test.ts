/** Goal: a partner that agreed on client certificates, or on TLS 1.2, calls with them alone, and others call as before. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { SecureVersion } from "node:tls";
import { Agent, request } from "undici";
import type { PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import { clientTlsFiles, tlsFiles } from "../support/edge/tls-files.ts";
import { received, signCall, startEdge, type TestEdge } from "../support/edge/start-edge.ts";

const notAllowed = "Unauthorized. [Connection not allowed]";
const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();
const ours = fingerprintOf(clientTlsFiles.cert);
const other = fingerprintOf(tlsFiles.cert);

function agree(edge: TestEdge, terms: Partial<PartnerCredentials>) {
  edge.state.symmetric = { ...edge.state.symmetric, ...terms };
}

/** Calls over TLS. */
function callerOf(t: TestContext, edge: TestEdge, own: object = {}, version: SecureVersion = "TLSv1.3") {
  const connect = { ca: tlsFiles.cert, servername: "localhost", maxVersion: version, minVersion: version, ...own };
  const agent = new Agent({ connect, pipelining: 1 });
  t.after(() => agent.close());
  return async (headers: Readonly<Record<string, string>> = {}, signing: "symmetric" | "asymmetric" = "symmetric") => {
    const signed = await signCall(edge, { signing });
    const reply = await request(`https://127.0.0.1:${edge.port}${signed.target}`, {
      method: "POST",
      headers: { ...signed.headers, ...headers },
      body: signed.body,
      dispatcher: agent,
    });
    return received(reply.statusCode, reply.headers, await reply.body.text()).message;
  };
}

test("a partner with client certificates calls with one that is verified, and others with any or none", async (t) => {
  const edge = await startEdge(t, { settings: { tls: { ...tlsFiles, clientCa: clientTlsFiles.cert } } });
  const [withOurs, withOther, without] = [clientTlsFiles, tlsFiles, {}].map((own) => callerOf(t, edge, own));
  assert.ok(withOurs && withOther && without);
  for (const call of [withOurs, withOther, without]) assert.equal(await call(), "Successful");
  agree(edge, { clientCertificates: [other, ours] });
  assert.equal(await withOurs(), "Successful");
  // It is on the list, and not under the CA.
  assert.equal(await withOther(), notAllowed);
  assert.equal(await without(), notAllowed);
  // No proxy is trusted, and no header named.
  assert.equal(await without({ "X-Client-Certificate": encodeURIComponent(clientTlsFiles.cert) }), notAllowed);
  for (const call of [withOurs, withOther, without]) assert.equal(await call({}, "asymmetric"), "Successful");
  agree(edge, { clientCertificates: [other] });
  // The connection stays, and what it may do ends with the partner's setting.
  assert.equal(await withOurs(), notAllowed);
  agree(edge, { clientCertificates: [] });
  assert.equal(await withOurs(), notAllowed);
  assert.ok(edge.logLines.some((line) => line.includes('"reason":"certificate"')));
});

test("without a CA no certificate counts", async (t) => {
  const edge = await startEdge(t, { settings: { tls: tlsFiles } });
  agree(edge, { clientCertificates: [ours] });
  assert.equal(await callerOf(t, edge, clientTlsFiles)(), notAllowed);
});

test("a session that is resumed keeps the certificate that it began with, and gets no other", async (t) => {
  const edge = await startEdge(t, { settings: { tls: { ...tlsFiles, clientCa: clientTlsFiles.cert } } });
  agree(edge, { clientCertificates: [ours] });
  for (const [own, message] of [
    [clientTlsFiles, "Successful"],
    [{}, notAllowed],
  ] as const) {
    const call = callerOf(t, edge, own);
    for (let time = 0; time < 3; time += 1) assert.equal(await call({ Connection: "close" }), message);
  }
});

test("a proxy's header is believed from trusted proxies alone, and only one whole certificate", async (t) => {
  const settings = { trustedProxies: ["127.0.0.1"], clientCertificateHeader: "X-Client-Certificate" };
  const edge = await startEdge(t, { settings });
  agree(edge, { clientCertificates: [ours] });
  const send = async (value: string | undefined, from: TestEdge = edge) =>
    (await from.send({ headers: { "X-Client-Certificate": value } })).message;
  const [cert, foreign] = [clientTlsFiles.cert, tlsFiles.cert].map((pem) => encodeURIComponent(`${pem}\n`));
  assert.equal(await send(cert), "Successful");
  for (const value of [
    undefined,
    "",
    foreign,
    ours,
    "%",
    `${cert}, ${foreign}`,
    `${cert}${foreign}`,
    `${foreign}${cert}`,
  ]) {
    assert.equal(await send(value), notAllowed, value);
  }
  const direct = await startEdge(t, { settings: { ...settings, trustedProxies: ["192.0.2.1"] } });
  agree(direct, { clientCertificates: [ours] });
  assert.equal(await send(cert, direct), notAllowed);
  const unnamed = await startEdge(t, { settings: { trustedProxies: ["127.0.0.1"] } });
  agree(unnamed, { clientCertificates: [ours] });
  assert.equal(await send(cert, unnamed), notAllowed);
});

test("over TLS 1.2 calls a partner with the exception alone, which is told once; the management listener has 1.3", async (t) => {
  const edge = await startEdge(t, {
    settings: { tls: { ...tlsFiles, minVersion: "1.2" } },
    management: { port: 0, host: "127.0.0.1", alsoOnMain: false },
  });
  const [old, current] = (["TLSv1.2", "TLSv1.3"] as const).map((version) => callerOf(t, edge, {}, version));
  assert.ok(old && current);
  assert.deepEqual([await old(), await current()], [notAllowed, "Successful"]);
  agree(edge, { tlsMin: "1.2" });
  assert.deepEqual([await old(), await old(), await current()], ["Successful", "Successful", "Successful"]);
  assert.equal(await old({}, "asymmetric"), notAllowed);
  assert.equal(edge.logLines.filter((line) => line.includes('"event":"partner.tls12"')).length, 1);
  assert.ok(edge.logLines.some((line) => line.includes('"reason":"tls_version"')));
  const weak = callerOf(t, edge, { ciphers: "ECDHE-ECDSA-AES128-SHA256" }, "TLSv1.2");
  await assert.rejects(weak(), /handshake failure/i);
  const managed = { ...edge, port: Number(new URL(edge.managementUrl).port) };
  await assert.rejects(callerOf(t, managed, {}, "TLSv1.2")(), { code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
});
