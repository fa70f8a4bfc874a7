import assert from "node:assert/strict";
import { test } from "node:test";
import { clientTlsFiles, tlsFiles } from "../../../../test/support/edge/tls-files.ts";
import { ConfigError, readConfig } from "./config.ts";

const files: Record<string, string> = { "c.pem": tlsFiles.cert, "k.pem": tlsFiles.key, "ca.pem": clientTlsFiles.cert };
const readText = (path: string) => files[path] ?? assert.fail("there is none");
const pair = { TITIAN_TLS_CERT: "c.pem", TITIAN_TLS_KEY: "k.pem" };

function faultsOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env, { readText });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults.join();
  }
  return assert.fail("it was accepted");
}

test("client certificates and TLS 1.2 need TLS of our own, and a proxy's header a proxy that is trusted", () => {
  const all = { ...pair, TITIAN_TLS_CLIENT_CA: "ca.pem", TITIAN_TLS_MIN: "1.2" };
  assert.deepEqual(readConfig(all, { readText }).tls, {
    ...tlsFiles,
    clientCa: clientTlsFiles.cert,
    minVersion: "1.2",
  });
  assert.match(faultsOf({ TITIAN_TLS_CLIENT_CA: "ca.pem" }), /^TITIAN_TLS_CLIENT_CA needs TITIAN_TLS_CERT and/);
  assert.match(faultsOf({ TITIAN_TLS_MIN: "1.2" }), /^TITIAN_TLS_MIN=1\.2 needs TITIAN_TLS_CERT and/);
  assert.match(faultsOf({ ...pair, TITIAN_TLS_MIN: "1.1" }), /^TITIAN_TLS_MIN must be 1\.2 or 1\.3/);
  assert.match(faultsOf({ ...pair, TITIAN_TLS_CLIENT_CA: "k.pem" }), /^TITIAN_TLS_CLIENT_CA must be a file of CA/);
  const header = { TITIAN_CLIENT_CERTIFICATE_HEADER: "X-Client-Certificate" };
  assert.match(faultsOf(header), /^TITIAN_CLIENT_CERTIFICATE_HEADER needs TITIAN_TRUSTED_PROXIES/);
  const { clientCertificateHeader } = readConfig({ ...header, TITIAN_TRUSTED_PROXIES: "127.0.0.1" });
  assert.equal(clientCertificateHeader, "X-Client-Certificate");
});
