/** Signs calls by the standard's text alone. Nothing here comes from the code under test, on purpose. */
import { constants, createHash, createHmac, sign } from "node:crypto";

const jakartaOffsetMs = 7 * 3_600_000;

/** ISO 8601 at +07:00 with milliseconds, so that two calls made after one another differ. */
export function timestampOf(ms: number): string {
  return `${new Date(ms + jakartaOffsetMs).toISOString().slice(0, -1)}+07:00`;
}

/** The signature of a token call (73). */
export function signTokenCall(privateKey: string, clientKey: string, timestamp: string): string {
  return signRsa(privateKey, `${clientKey}|${timestamp}`);
}

export interface CallToSign {
  readonly path: string;
  readonly body: string | Buffer;
  readonly timestamp: string;
}

/** Mode 1: with the client secret and an access token. */
export function signWithSecret(secret: string, token: string, { path, body, timestamp }: CallToSign): string {
  const text = `POST:${path}:${token}:${sha256(body)}:${timestamp}`;
  return createHmac("sha512", secret).update(text).digest("base64");
}

/** Mode 2: with the partner's private key, without a token. */
export function signWithKey(privateKey: string, { path, body, timestamp }: CallToSign): string {
  return signRsa(privateKey, `POST:${path}:${sha256(body)}:${timestamp}`);
}

function sha256(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

function signRsa(privateKey: string, text: string): string {
  return sign("sha256", Buffer.from(text), { key: privateKey, padding: constants.RSA_PKCS1_PADDING }).toString(
    "base64",
  );
}
