/**
 * Signs calls, right or with mistakes made on purpose. Written against docs/guides/signing.md, without the service's
 * code.
 */
import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  sign as signBytes,
} from "node:crypto";

export interface Signer {
  readonly partnerId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly signing: "symmetric" | "asymmetric";
}

/** A call and everything that goes into its signature; a mistake changes one of these. */
export interface Draft {
  method: string;
  path: string;
  token: string | undefined;
  /** Headers that are sent with other values; undefined: not sent. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  timestamp: string;
  /** Method that is signed instead. */
  signedMethod: string;
  signedPath: string;
  signedToken: string | undefined;
  hash: (body: Buffer) => string;
  hashedBody: Buffer;
  signedTime: string;
  join: (parts: readonly string[]) => string;
  secret: string | Buffer;
  sign: (text: string, draft: Draft) => Buffer;
  encode: (signature: Buffer) => string;
}

export const hex = (body: Buffer | string) => createHash("sha256").update(body).digest("hex");

export const signWith = {
  hmac: (digest: string) => (text: string, draft: Draft) => createHmac(digest, draft.secret).update(text).digest(),
  rsa: (digest: string, pem: string) => (text: string) => signBytes(digest, Buffer.from(text), createPrivateKey(pem)),
  pss: (pem: string) => (text: string) =>
    signBytes("sha256", Buffer.from(text), {
      key: createPrivateKey(pem),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    }),
};

export function makeSigner(partnerId: string, signing: Signer["signing"]): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const clientSecret = `${partnerId}-5f0c1d2e3b4a59687766554433221100`;
  return { partnerId, clientKey: `${partnerId}-client`, clientSecret, privateKey, publicKey, signing };
}

export function draftOf(signer: Signer, body: string, path = "/v1.0/transfer-intrabank"): Draft {
  const claims = Buffer.from(JSON.stringify({ sub: `key-of-${signer.partnerId}`, exp: 1_795_230_600 }));
  const token =
    signer.signing === "symmetric"
      ? `eyJhbGciOiJIUzI1NiJ9.${claims.toString("base64url")}.${"A".repeat(43)}`
      : undefined;
  const bytes = Buffer.from(body);
  const timestamp = "2026-11-21T10:00:00+07:00";
  return {
    method: "POST",
    path,
    token,
    headers: {},
    body: bytes,
    timestamp,
    signedMethod: "POST",
    signedPath: path,
    signedToken: token,
    hash: hex,
    hashedBody: bytes,
    signedTime: timestamp,
    join: (parts) => parts.join(":"),
    secret: signer.clientSecret,
    sign: signer.signing === "symmetric" ? signWith.hmac("sha512") : signWith.rsa("sha256", signer.privateKey),
    encode: (signature) => signature.toString("base64"),
  };
}

export function signatureOf(draft: Draft): string {
  const { signedMethod, signedPath, signedToken, signedTime, hash, hashedBody, join, sign, encode } = draft;
  const parts = [signedMethod, signedPath, ...(signedToken === undefined ? [] : [signedToken]), hash(hashedBody)];
  return encode(sign(join([...parts, signedTime]), draft));
}
