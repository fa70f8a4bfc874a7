// Goal: signatures are those of the published vectors. Method: every vector of vectors/snap-test-vectors.json is
// verified as a server does it (the raw bytes first, then the minified ones), and made anew where the key is given.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  hashBody,
  hasOuterWhitespace,
  minify,
  signHmac,
  signRsa,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";

interface Vector {
  readonly id: string;
  readonly kind: string;
  readonly timestamp: string;
  readonly stringToSign: string;
  readonly signatureBase64: string;
  readonly method?: string;
  readonly path?: string;
  readonly bodyAsSent?: string;
  readonly bodyMinified?: string;
  readonly bodyHash?: string;
  readonly clientKey?: string;
  readonly clientSecret?: string;
  readonly accessToken?: string;
  readonly signWith?: string;
  readonly verifyWith?: string;
}

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface VectorFile {
  readonly published: readonly Vector[];
  readonly publishedPublicKeyPem: string;
  readonly generated: {
    readonly partner: KeyPair;
    readonly provider: KeyPair;
    readonly clientKey: string;
    readonly clientSecret: string;
    readonly accessToken: string;
    readonly vectors: readonly Vector[];
  };
}

const path = new URL("../../../vectors/snap-test-vectors.json", import.meta.url);
const file: VectorFile = JSON.parse(readFileSync(path, "utf8"));

/** One vector with the keys it is checked with. */
interface Case {
  readonly vector: Vector;
  readonly clientKey: string;
  readonly secret?: string;
  readonly accessToken?: string | undefined;
  readonly publicKey?: string;
  readonly privateKey?: string;
}

const published = file.published.map((vector): Case => {
  const secrets =
    vector.clientSecret === undefined ? {} : { secret: vector.clientSecret, accessToken: vector.accessToken };
  const keys = vector.verifyWith === undefined ? {} : { publicKey: file.publishedPublicKeyPem };
  return Object.assign({ vector, clientKey: vector.clientKey ?? "" }, secrets, keys);
});

const generated = file.generated.vectors.map((vector): Case => {
  const { clientKey, clientSecret, accessToken, partner, provider } = file.generated;
  if (vector.signWith === undefined) return { vector, clientKey, secret: clientSecret, accessToken };
  return { vector, clientKey, ...(vector.signWith === "provider.privateKey" ? provider : partner) };
});

/** The text signed for a body, from the call's parts. */
function textOf({ vector, clientKey, accessToken }: Case, body: Uint8Array): string {
  const { method, timestamp } = vector;
  if (method === undefined || vector.path === undefined) return stringToSign.token(clientKey, timestamp);
  return stringToSign.transaction({ method, path: vector.path, accessToken, bodyHash: hashBody(body), timestamp });
}

function verify(call: Case, text: string): boolean {
  const { signatureBase64 } = call.vector;
  if (call.secret !== undefined) return verifyHmac(call.secret, text, signatureBase64);
  assert.ok(call.publicKey);
  return verifyRsa(call.publicKey, text, signatureBase64);
}

for (const call of [...published, ...generated]) {
  const { vector } = call;
  const sent = Buffer.from(vector.bodyAsSent ?? vector.bodyMinified ?? "", "utf8");
  const compact = Buffer.from(vector.bodyMinified ?? "", "utf8");

  test(`${vector.id} (${vector.kind}) verifies`, () => {
    assert.deepEqual(Buffer.from(minify(sent)), compact);
    assert.equal(textOf(call, compact), vector.stringToSign);
    if (vector.bodyHash !== undefined) assert.equal(hashBody(compact), vector.bodyHash);
    const verifiesRaw = verify(call, textOf(call, sent));
    assert.equal(verifiesRaw, !hasOuterWhitespace(sent), "the raw bytes verify unless the body is pretty");
    assert.ok(verify(call, textOf(call, minify(sent))));
  });

  if (call.secret !== undefined || call.privateKey !== undefined) {
    test(`${vector.id} (${vector.kind}) is made anew`, () => {
      const text = textOf(call, compact);
      const made = call.secret === undefined ? signRsa(call.privateKey ?? "", text) : signHmac(call.secret, text);
      assert.equal(made, vector.signatureBase64);
    });
  }
}
