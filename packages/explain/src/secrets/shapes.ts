/** Secrets that are recognized by their form, whoever has them: tokens, codes, private keys. Pure. */

export interface Shape {
  readonly start: number;
  readonly end: number;
  readonly kind: "token" | "privateKey";
}

/** Shorter texts hold none. */
const lengthMin = 40;

export function* shapesIn(text: string): Iterable<Shape> {
  if (text.length < lengthMin) return;
  yield* privateKeys(text);
  for (const { 0: run, index } of text.matchAll(/[\w.-]+/g)) {
    if (run.length >= lengthMin && run.includes(".")) yield* tokens(run, index);
  }
}

/** Authorization codes and refresh tokens: grant, generation and 32 bytes. */
const grantSecret = /[0-9A-Z]{26}\.(?:0|[1-9]\d{0,8})\.[\w-]{43}/g;
const signatureMin = 20;

/** JSON Web Tokens, of whomever: header and payload begin with `{"`. */
function* tokens(run: string, from: number): Iterable<Shape> {
  for (const { 0: secret, index } of run.matchAll(grantSecret)) {
    yield { start: from + index, end: from + index + secret.length, kind: "token" };
  }
  const parts = run.split(".");
  let at = from;
  for (const [index, part] of parts.entries()) {
    const [payload = "", signature = ""] = parts.slice(index + 1, index + 3);
    const header = part.indexOf("eyJ");
    if (header >= 0 && payload.startsWith("eyJ") && signature.length >= signatureMin) {
      const end = at + part.length + payload.length + signature.length + 2;
      yield { start: at + header, end, kind: "token" };
    }
    at += part.length + 1;
  }
}

const pemStart = /-----BEGIN[ +][A-Z0-9 +]{0,30}PRIVATE[ +]KEY-----/g;
const pemEnd = /PRIVATE[ +]KEY-----/g;
/** Base64 of a private key in DER, by its lengths and version: PKCS#8 of RSA, elliptic curves and EdDSA; PKCS#1; SEC1. */
const der =
  /MII[\w+/-]{3}IBADA|MI[GH][\w+/-]AgEAM|M[A-H][\w+/-]CAQAwBQ|MII[\w+/-]{3}IBAAK|MHcCAQEE|MI[GH][\w+/-]AgEBB/g;
const derRest = /[\w+/=\s-]*/y;

function* privateKeys(text: string): Iterable<Shape> {
  let behind = 0;
  if (text.includes("PRIVATE")) {
    for (const { index } of text.matchAll(pemStart)) {
      if (index < behind) continue;
      pemEnd.lastIndex = index + "-----BEGIN PRIVATE KEY-----".length + 1;
      // From one without an end all that follows may be the key.
      behind = pemEnd.exec(text) === null ? text.length : pemEnd.lastIndex;
      yield { start: index, end: behind, kind: "privateKey" };
    }
  }
  behind = 0;
  for (const { index } of text.matchAll(der)) {
    if (index < behind) continue;
    derRest.lastIndex = index;
    derRest.exec(text);
    behind = derRest.lastIndex;
    if (behind - index >= lengthMin) yield { start: index, end: behind, kind: "privateKey" };
  }
}
