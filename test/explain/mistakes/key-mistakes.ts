/** Mistakes in key, algorithm and encoding of the signature. */
import { createHash, createHmac } from "node:crypto";
import { hex, signWith } from "../wrong-signer.ts";
import { hashes, type Mistake, mistakes } from "./mistake.ts";

const lines = (signature: Buffer) => signature.toString("base64").replace(/(.{64})/g, "$1\r\n");

const keys: readonly Mistake[] = [
  ...mistakes("keys", "secret", [
    ["a line break behind the secret", "shell", "secret.lineBreak", (d) => void (d.secret = `${String(d.secret)}\n`)],
    ["CRLF behind the secret", "windows", "secret.lineBreak", (d) => void (d.secret = `${String(d.secret)}\r\n`)],
    ["a space behind the secret", "copy", "secret.spaces", (d) => void (d.secret = `${String(d.secret)} `)],
    ["a space before the secret", "copy", "secret.spaces", (d) => void (d.secret = ` ${String(d.secret)}`)],
    [
      "secret from Base64",
      "clientSecretManual",
      "secret.base64Decoded",
      (d) => void (d.secret = Buffer.from(String(d.secret), "base64")),
    ],
    [
      "secret in Base64",
      "raya",
      "secret.encoded",
      (d) => void (d.secret = Buffer.from(String(d.secret)).toString("base64")),
    ],
    [
      "secret in hex",
      "dotnet",
      "secret.encoded",
      (d) => void (d.secret = Buffer.from(String(d.secret)).toString("hex")),
    ],
    ["secret in capitals", "copy", "secret.letterCase", (d) => void (d.secret = String(d.secret).toUpperCase())],
    ["a quoted secret", "shell", "secret.quoted", (d) => void (d.secret = `"${String(d.secret)}"`)],
    ["a secret in single quotes", "windows", "secret.quoted", (d) => void (d.secret = `'${String(d.secret)}'`)],
    ["the client key", "bri", "secret.clientKey", (d, { own }) => void (d.secret = own.clientKey)],
    ["the partner id", "copy", "secret.partnerId", (d, { own }) => void (d.secret = own.partnerId)],
    ["the token as key", "midtrans", "secret.token", (d) => void (d.secret = d.token ?? "")],
    ["the public key as key", "openssl", "secret.publicKey", (d, { own }) => void (d.secret = own.publicKey)],
    ["no secret", "postman", "secret.empty", (d) => void (d.secret = "")],
    [
      "another partner's secret",
      "copy",
      "secret.otherPartners",
      (d, { other }) => void (d.secret = other.clientSecret),
    ],
  ]),
  ...mistakes("keys", "algorithm", [
    ["HMAC-SHA256", "bca", "algorithm.otherHmac", (d) => void (d.sign = signWith.hmac("sha256"))],
    ["HMAC-SHA1", "java", "algorithm.otherHmac", (d) => void (d.sign = signWith.hmac("sha1"))],
    ["HMAC-SHA384", "dotnet", "algorithm.otherHmac", (d) => void (d.sign = signWith.hmac("sha384"))],
    [
      "SHA-512 without a key",
      "aspi",
      "algorithm.noKey",
      (d) => void (d.sign = (text) => createHash("sha512").update(text).digest()),
    ],
    [
      "SHA-512 of text and secret",
      "payment",
      "algorithm.secretInText",
      (d) =>
        void (d.sign = (text, { secret }) =>
          createHash("sha512")
            .update(`${text}${String(secret)}`)
            .digest()),
    ],
    [
      "key and text exchanged",
      "php",
      "algorithm.exchanged",
      (d) => void (d.sign = (text, { secret }) => createHmac("sha512", text).update(secret).digest()),
    ],
    [
      "HMAC of the text's hash",
      "node",
      "algorithm.hashedBefore",
      (d) => void (d.sign = (text, { secret }) => createHmac("sha512", secret).update(hex(text)).digest()),
    ],
    [
      "RSA instead of HMAC",
      "bri",
      "algorithm.rsaForHmac",
      (d, { own }) => void (d.sign = signWith.rsa("sha256", own.privateKey)),
    ],
  ]),
  ...mistakes("keys", "mode", [
    [
      "as in mode 2",
      "faspay",
      "mode.asymmetric",
      (d, { own }) => {
        d.signedToken = undefined;
        d.sign = signWith.rsa("sha256", own.privateKey);
      },
    ],
  ]),
];

const encodings = mistakes("headers", "encoding", [
  ["base64url", "java", "encoding.base64url", (d) => void (d.encode = (signature) => signature.toString("base64url"))],
  [
    "no padding",
    "go",
    "encoding.padding",
    (d) => void (d.encode = (signature) => signature.toString("base64").replace(/=+$/, "")),
  ],
  [
    "Base64 of the hex",
    "nagari",
    "encoding.base64OfHex",
    (d) => void (d.encode = (signature) => Buffer.from(signature.toString("hex")).toString("base64")),
  ],
  [
    "Base64 twice",
    "laravel",
    "encoding.twice",
    (d) => void (d.encode = (signature) => Buffer.from(signature.toString("base64")).toString("base64")),
  ],
  [
    "percent-encoded signature",
    "curl",
    "encoding.percent",
    (d) => void (d.encode = (signature) => encodeURIComponent(signature.toString("base64"))),
  ],
  [
    "percent-encoded lines",
    "java",
    "encoding.percentLineBreaks",
    (d) => void (d.encode = (signature) => encodeURIComponent(lines(signature))),
  ],
  [
    "one percent-encoded line break behind it",
    "shell",
    "encoding.percentLineBreaks",
    (d) => void (d.encode = (signature) => `${signature.toString("base64")}%0A`),
  ],
  [
    "a space between lines, as a proxy joins them",
    "gateway",
    "encoding.whiteSpace",
    (d) => void (d.encode = (signature) => lines(signature).replaceAll("\r\n", " ")),
  ],
  [
    "line breaks as two letters",
    "shell",
    "encoding.whiteSpace",
    (d) => void (d.encode = (signature) => lines(signature).replaceAll("\r\n", "\\n")),
  ],
  [
    "quoted signature",
    "node",
    "encoding.quoted",
    (d) => void (d.encode = (signature) => `"${signature.toString("base64")}"`),
  ],
  [
    "a name before the signature",
    "doku",
    "encoding.prefixed",
    (d) => void (d.encode = (signature) => `HMACSHA512=${signature.toString("base64")}`),
  ],
]);

/** Mistakes that trying cannot show: nothing is named, and the sentence says as much. */
const unnamed: readonly Mistake[] = [
  ...mistakes("keys", "unknown", [
    ["the secret of another environment", "postman", "signature.unknown", (d) => void (d.secret = "b".repeat(32))],
    [
      "a body built twice, with two numbers",
      "php",
      "signature.unknown",
      hashes((text) => text.replace("INV/2026/0001", "INV/2026/0002")),
    ],
    [
      "three mistakes at once",
      "briCallback",
      "signature.unknown",
      (d) => {
        d.signedPath = `https://127.0.0.1:8080${d.path}`;
        d.signedToken = undefined;
        d.signedTime = "2026-11-21T03:00:00Z";
      },
    ],
  ]),
];

export const keyMistakes: readonly Mistake[] = [...keys, ...encodings, ...unnamed];
