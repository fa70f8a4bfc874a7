/** Mistakes that integrators make, each as a change of a draft, with the name that the explanation must give it. */
import { createHash } from "node:crypto";
import { type Draft, hex, type Signer, signWith } from "./wrong-signer.ts";

export interface Mistake {
  readonly name: string;
  readonly cause: string;
  /** Mode of the partner; 1 unless said otherwise. */
  readonly mode?: "asymmetric";
  readonly make: (draft: Draft, signers: Signers) => void;
}

export interface Signers {
  readonly own: Signer;
  readonly other: Signer;
}

const rewrite = (body: Buffer, change: (text: string) => string) => Buffer.from(change(body.toString()));
const customerToken = `eyJhbGciOiJIUzI1NiJ9.${"e31".repeat(40)}.${"B".repeat(43)}`;
export const customerAuthorization = `Bearer ${customerToken}`;

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
      );

/** Writes JSON as Python's json.dumps does. */
const pythonJson = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? `{${Object.entries(value)
        .map(([key, member]) => `"${key}": ${pythonJson(member)}`)
        .join(", ")}}`
    : JSON.stringify(value).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const phpJson = (text: string) =>
  JSON.stringify(JSON.parse(text))
    .replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("/", "\\/");

const of = (cause: string, rows: Readonly<Record<string, Mistake["make"]>>, mode?: "asymmetric"): readonly Mistake[] =>
  Object.entries(rows).map(([name, make]) => ({ name, cause, make, ...(mode && { mode }) }));

export const singles: readonly Mistake[] = [
  ...of("path", {
    "path without version": (d) => void (d.signedPath = "/transfer-intrabank"),
    "path's last part": (d) => void (d.signedPath = "transfer-intrabank"),
    "path with host": (d) => void (d.signedPath = `http://127.0.0.1:8080${d.path}`),
    "path with https and host": (d) => void (d.signedPath = `https://127.0.0.1:8080${d.path}`),
    "path with a slash at its end": (d) => void (d.signedPath += "/"),
    "path without its first slash": (d) => void (d.signedPath = d.path.slice(1)),
    "path with two slashes": (d) => void (d.signedPath = `/${d.path}`),
    "path of another version": (d) => void (d.signedPath = d.path.replace("v1.0", "v1.1")),
    "path of another bank's root": (d) => void (d.signedPath = `/snap${d.path}`),
    "path without the query that was sent": (d) => {
      d.signedPath = d.path;
      d.path += "?lang=id&trace=7";
    },
    "path percent-encoded": (d) => void (d.signedPath = encodeURIComponent(d.path)),
    "path in capitals": (d) => void (d.signedPath = d.path.toUpperCase()),
    "path of 18 instead of 17": (d) => void (d.signedPath = "/v1.0/transfer-interbank"),
  }),
  ...of("token", {
    "no token": (d) => void (d.signedToken = undefined),
    "Bearer before the token": (d) => void (d.signedToken = `Bearer ${d.token}`),
    "the customer's token": (d) => void (d.signedToken = customerToken),
    "nothing between two colons": (d) => void (d.signedToken = ""),
    "a line break behind the token": (d) => void (d.signedToken += "\n"),
  }),
  ...of("bodyHash", {
    "hash in capitals": (d) => void (d.hash = (body) => hex(body).toUpperCase()),
    "hash in Base64": (d) => void (d.hash = (body) => createHash("sha256").update(body).digest("base64")),
    "hash by SHA-512": (d) => void (d.hash = (body) => createHash("sha512").update(body).digest("hex")),
    "hash by MD5": (d) => void (d.hash = (body) => createHash("md5").update(body).digest("hex")),
    "hash of nothing": (d) => void (d.hashedBody = Buffer.alloc(0)),
    "hash of an empty object": (d) => void (d.hashedBody = Buffer.from("{}")),
    "the body itself": (d) => void (d.hash = (body) => body.toString()),
    "all white space removed": (d) => void (d.hashedBody = rewrite(d.body, (text) => text.replace(/\s/g, ""))),
    "written anew": (d) => {
      d.hashedBody = d.body;
      d.body = rewrite(d.body, (text) => text.replace("Rp 10.000/hari", "Rp\\u002010.000\\/hari"));
    },
    "PHP's escapes": (d) => void (d.hashedBody = rewrite(d.body, phpJson)),
    "Python's spaces": (d) => void (d.hashedBody = rewrite(d.body, (text) => pythonJson(JSON.parse(text)))),
    "keys sorted": (d) => void (d.hashedBody = rewrite(d.body, (text) => JSON.stringify(sorted(JSON.parse(text))))),
    "a line break behind the body": (d) => void (d.hashedBody = rewrite(d.body, (text) => `${text}\n`)),
    "indented for the hash alone": (d) =>
      void (d.hashedBody = rewrite(d.body, (text) => JSON.stringify(JSON.parse(text), null, 2))),
    "CRLF for the hash, LF sent": (d) => {
      d.body = rewrite(d.body, (text) => JSON.stringify(JSON.parse(text), null, 2));
      d.hashedBody = rewrite(d.body, (text) => text.replaceAll("\n", "\r\n"));
    },
    "the body in lower case": (d) => void (d.hashedBody = rewrite(d.body, (text) => text.toLowerCase())),
    "the body as a JSON text": (d) => void (d.hashedBody = rewrite(d.body, (text) => JSON.stringify(text))),
    "no hash": (d) => void (d.hash = () => ""),
  }),
  ...of("timestamp", {
    "time in UTC": (d) => void (d.signedTime = "2026-11-21T03:00:00Z"),
    "time without zone": (d) => void (d.signedTime = "2026-11-21T10:00:00"),
    "offset without colon": (d) => void (d.signedTime = "2026-11-21T10:00:00+0700"),
    "time with milliseconds": (d) => void (d.signedTime = "2026-11-21T10:00:00.000+07:00"),
    "time without the milliseconds that were sent": (d) => {
      d.timestamp = "2026-11-21T10:00:00.123+07:00";
    },
    "UTC's time with Jakarta's offset": (d) => void (d.signedTime = "2026-11-21T03:00:00+07:00"),
    "the clock read again a second later": (d) => void (d.signedTime = "2026-11-21T10:00:01+07:00"),
    "time with a space": (d) => void (d.signedTime = "2026-11-21 10:00:00+07:00"),
    "time in seconds": (d) => void (d.signedTime = "1795230000"),
  }),
  ...of("method", { "method in lower case": (d) => void (d.signedMethod = "post") }),
  ...of("secret", {
    "a line break behind the secret": (d) => void (d.secret = `${String(d.secret)}\n`),
    "secret from Base64": (d) => void (d.secret = Buffer.from(String(d.secret), "base64")),
    "the client key": (d, { own }) => void (d.secret = own.clientKey),
    "the partner id": (d, { own }) => void (d.secret = own.partnerId),
    "another partner's secret": (d, { other }) => void (d.secret = other.clientSecret),
    "a quoted secret": (d) => void (d.secret = `"${String(d.secret)}"`),
  }),
  ...of("algorithm", {
    "HMAC-SHA256": (d) => void (d.sign = signWith.hmac("sha256")),
    "HMAC-SHA1": (d) => void (d.sign = signWith.hmac("sha1")),
    "SHA-512 without a key": (d) => void (d.sign = (text) => createHash("sha512").update(text).digest()),
    "RSA instead of HMAC": (d, { own }) => void (d.sign = signWith.rsa("sha256", own.privateKey)),
  }),
  ...of("mode", {
    "as in mode 2": (d, { own }) => {
      d.signedToken = undefined;
      d.sign = signWith.rsa("sha256", own.privateKey);
    },
    "client key and time": (d, { own }) => void (d.join = () => `${own.clientKey}|${d.timestamp}`),
  }),
  ...of("encoding", {
    base64url: (d) => void (d.encode = (signature) => signature.toString("base64url")),
    "no padding": (d) => void (d.encode = (signature) => signature.toString("base64").replace(/=+$/, "")),
    "Base64 of the hex": (d) =>
      void (d.encode = (signature) => Buffer.from(signature.toString("hex")).toString("base64")),
    "Base64 twice": (d) =>
      void (d.encode = (signature) => Buffer.from(signature.toString("base64")).toString("base64")),
    "a line break behind the text": (d) => void (d.join = (parts) => `${parts.join(":")}\n`),
    "bars instead of colons": (d) => void (d.join = (parts) => parts.join("|")),
    "percent-encoded signature": (d) =>
      void (d.encode = (signature) => encodeURIComponent(signature.toString("base64"))),
  }),
  ...of(
    "algorithm",
    {
      "HMAC instead of RSA": (d) => void (d.sign = signWith.hmac("sha512")),
      "RSA with SHA-512": (d, { own }) => void (d.sign = signWith.rsa("sha512", own.privateKey)),
      "RSA with SHA-1": (d, { own }) => void (d.sign = signWith.rsa("sha1", own.privateKey)),
      "RSA-PSS": (d, { own }) => void (d.sign = signWith.pss(own.privateKey)),
      "hashed twice": (d, { own }) => void (d.sign = (text) => signWith.rsa("sha256", own.privateKey)(hex(text))),
    },
    "asymmetric",
  ),
  ...of(
    "token",
    {
      "two colons in mode 2": (d) => void (d.signedToken = ""),
    },
    "asymmetric",
  ),
  ...of(
    "mode",
    {
      "client key and time in mode 2": (d, { own }) => void (d.join = () => `${own.clientKey}|${d.timestamp}`),
    },
    "asymmetric",
  ),
  ...of(
    "secret",
    {
      "another partner's private key": (d, { other }) => void (d.sign = signWith.rsa("sha256", other.privateKey)),
    },
    "asymmetric",
  ),
  ...of(
    "path",
    {
      "path without version in mode 2": (d) => void (d.signedPath = "/transfer-intrabank"),
    },
    "asymmetric",
  ),
];

const named = (name: string, mode?: "asymmetric"): Mistake => {
  const found = singles.find((single) => single.name === name && single.mode === mode);
  if (found === undefined) throw new Error(`There is no mistake "${name}"`);
  return found;
};

/** Two at once. */
export const pairs: readonly Mistake[] = [
  ["path without version", "no token"],
  ["path without version", "Bearer before the token"],
  ["path with host", "hash in capitals"],
  ["path with a slash at its end", "time in UTC"],
  ["Bearer before the token", "hash in Base64"],
  ["hash of nothing", "a line break behind the secret"],
  ["PHP's escapes", "path without version"],
  ["keys sorted", "time without zone"],
  ["time with milliseconds", "method in lower case"],
  ["HMAC-SHA256", "hash in capitals"],
  ["HMAC-SHA256", "base64url"],
  ["a line break behind the secret", "path without version"],
  ["another partner's secret", "no token"],
  ["base64url", "time in UTC"],
  ["Base64 of the hex", "path without version"],
  ["no padding", "hash in capitals"],
  ["the client key", "hash in Base64"],
  ["a line break behind the text", "path without version"],
  ["RSA instead of HMAC", "path without version"],
  ["as in mode 2", "hash in capitals"],
  ["the body itself", "no token"],
].map(([a = "", b = ""]) => {
  const [first, second] = [named(a), named(b)];
  return {
    name: `${a} + ${b}`,
    cause: [first.cause, second.cause].sort().join("+"),
    make: (draft: Draft, signers: Signers) => {
      first.make(draft, signers);
      second.make(draft, signers);
    },
  };
});
