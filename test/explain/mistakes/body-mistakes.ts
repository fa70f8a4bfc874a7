/** Mistakes in the hash of the body: its form, and the text that was hashed. */
import { createHash, createHmac } from "node:crypto";
import { hex } from "../wrong-signer.ts";
import { hashes, type Mistake, mistakes, rewritten, sendsOther } from "./mistake.ts";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown =>
  isMembers(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )
    : value;

const escaped = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Writes JSON as Python's json.dumps does. */
const pythonJson = (value: unknown): string =>
  isMembers(value)
    ? `{${Object.entries(value)
        .map(([key, member]) => `"${key}": ${pythonJson(member)}`)
        .join(", ")}}`
    : escaped(JSON.stringify(value));

const phpJson = (text: string) => escaped(rewritten(text)).replaceAll("/", "\\/");

/** The text of a body whose members are put in another order. */
const reordered = (order: (names: string[]) => readonly string[]) => (text: string) => {
  const members = JSON.parse(text) as Members;
  return JSON.stringify(Object.fromEntries(order(Object.keys(members)).map((name) => [name, members[name]])));
};

const currencyFirst = (text: string) =>
  text.replace('"amount":{"value":"10000.00","currency":"IDR"}', '"amount":{"currency":"IDR","value":"10000.00"}');

const digest = (name: string, encoding: "hex" | "base64") => (body: Buffer) =>
  createHash(name).update(body).digest(encoding);

const hmac =
  (name: string, encoding: "hex" | "base64"): Mistake["make"] =>
  (draft, { own }) =>
    void (draft.hash = (body) => createHmac(name, own.clientSecret).update(body).digest(encoding));

export const bodyMistakes: readonly Mistake[] = [
  ...mistakes("encoding of the body", "bodyHash", [
    ["hash in capitals", "dotnet", "bodyHash.upperCase", (d) => void (d.hash = (body) => hex(body).toUpperCase())],
    ["hash in Base64", "doku", "bodyHash.base64", (d) => void (d.hash = digest("sha256", "base64"))],
    [
      "hash as Base64 of its hex",
      "php",
      "bodyHash.base64OfHex",
      (d) => void (d.hash = (body) => Buffer.from(hex(body)).toString("base64")),
    ],
    ["hash by SHA-512", "aspi", "bodyHash.otherDigest", (d) => void (d.hash = digest("sha512", "hex"))],
    ["hash by SHA-1", "java", "bodyHash.otherDigest", (d) => void (d.hash = digest("sha1", "hex"))],
    ["hash by MD5", "payment", "bodyHash.otherDigest", (d) => void (d.hash = digest("md5", "hex"))],
    ["hash of the hash", "python", "bodyHash.twice", (d) => void (d.hash = (body) => hex(hex(body)))],
    ["HMAC-SHA256 of the body", "bca", "bodyHash.hmac", hmac("sha256", "hex")],
    ["HMAC-SHA512 of the body", "php", "bodyHash.hmac", hmac("sha512", "hex")],
    ["HMAC-SHA256 of the body in Base64", "doku", "bodyHash.hmac", hmac("sha256", "base64")],
    ["hash of nothing", "node", "bodyHash.ofNothing", (d) => void (d.hashedBody = Buffer.alloc(0))],
    ["hash of an empty object", "typescript", "bodyHash.ofEmpty", (d) => void (d.hashedBody = Buffer.from("{}"))],
    ["hash of null", "java", "bodyHash.ofEmpty", (d) => void (d.hashedBody = Buffer.from("null"))],
    ["the body itself", "bca", "bodyHash.bodyItself", (d) => void (d.hash = (body) => body.toString())],
    ["the body in Base64", "doku", "bodyHash.bodyItself", (d) => void (d.hash = (body) => body.toString("base64"))],
    ["no hash", "faspay", "bodyHash.leftOut", (d) => void (d.hash = () => "")],
    ["all white space removed", "briCallback", "bodyHash.allWhiteSpaceGone", hashes((text) => text.replace(/\s/g, ""))],
    [
      "all white space removed, as a manual shows it",
      "pakaidonk",
      "bodyHash.allWhiteSpaceGone",
      (d) => {
        d.body = Buffer.from(rewritten(d.body.toString(), 3));
        d.hashedBody = Buffer.from(d.body.toString().replace(/\s/g, ""));
      },
    ],
    [
      "written anew",
      "requests",
      "bodyHash.writtenAnew",
      sendsOther((text) => text.replace("Rp 10.000/hari", "Rp\\u002010.000\\/hari")),
    ],
    ["json_encode without flags", "php", "bodyHash.escapes", hashes(phpJson)],
    ["slashes escaped", "laravel", "bodyHash.escapes", hashes((text) => text.replaceAll("/", "\\/"))],
    ["characters escaped", "dotnet", "bodyHash.escapes", hashes(escaped)],
    ["json.dumps", "python", "bodyHash.spaced", hashes((text) => pythonJson(JSON.parse(text)))],
    [
      "json.dumps with ensure_ascii=False",
      "python",
      "bodyHash.spaced",
      hashes((text) => text.replaceAll('":', '": ').replaceAll(',"', ', "')),
    ],
    ["keys sorted", "go", "bodyHash.keysSorted", hashes((text) => JSON.stringify(sorted(JSON.parse(text))))],
    ["sort_keys=True", "python", "bodyHash.keysSorted", hashes((text) => pythonJson(sorted(JSON.parse(text))))],
    ["members reversed", "java", "bodyHash.otherOrder", hashes(reordered((names) => names.toReversed()))],
    [
      "one member appended last",
      "laravel",
      "bodyHash.otherOrder",
      hashes(reordered(([first = "", ...others]) => [...others, first])),
    ],
    [
      "two members exchanged",
      "postman",
      "bodyHash.otherOrder",
      hashes(reordered(([a = "", b = "", c = "", ...others]) => [a, c, b, ...others])),
    ],
    ["currency before value", "dotnet", "bodyHash.otherOrder", hashes(currencyFirst)],
    [
      "a map's order sent, a class's hashed",
      "java",
      "bodyHash.otherOrder",
      (d) => {
        const text = d.body.toString();
        d.body = Buffer.from(reordered((names) => names.toSorted())(text));
        d.hashedBody = Buffer.from(
          reordered(() => [
            "partnerReferenceNo",
            "amount",
            "beneficiaryAccountNo",
            "customerReference",
            "remark",
            "sourceAccountNo",
            "transactionDate",
          ])(text),
        );
      },
    ],
    [
      "a member added after it was hashed",
      "node",
      "bodyHash.memberLeftOut",
      sendsOther((text) => `${text.slice(0, -1)},"additionalInfo":{"channel":"web"}}`),
    ],
    [
      "null members left out of the hash",
      "java",
      "bodyHash.memberLeftOut",
      sendsOther((text) => `${text.slice(0, -1)},"currency":null,"feeType":null}`),
    ],
    ["a line break behind the body", "shell", "bodyHash.lineBreak", hashes((text) => `${text}\n`)],
    ["indented by two for the hash alone", "node", "bodyHash.pretty", hashes((text) => rewritten(text, 2))],
    ["indented by four for the hash alone", "postman", "bodyHash.pretty", hashes((text) => rewritten(text, 4))],
    ["indented by a tab for the hash alone", "go", "bodyHash.pretty", hashes((text) => rewritten(text, "\t"))],
    ["indented by one for the hash alone", "python", "bodyHash.pretty", hashes((text) => rewritten(text, 1))],
    ["indented by three for the hash alone", "pakaidonk", "bodyHash.pretty", hashes((text) => rewritten(text, 3))],
    [
      "CRLF for the hash, LF sent",
      "windows",
      "bodyHash.crlf",
      (d) => {
        d.body = Buffer.from(rewritten(d.body.toString(), 2));
        d.hashedBody = Buffer.from(d.body.toString().replaceAll("\n", "\r\n"));
      },
    ],
    [
      "LF for the hash, CRLF sent",
      "windows",
      "bodyHash.lf",
      (d) => {
        d.hashedBody = Buffer.from(rewritten(d.body.toString(), 2));
        d.body = Buffer.from(d.hashedBody.toString().replaceAll("\n", "\r\n"));
      },
    ],
    ["the body in lower case", "aspi", "bodyHash.lowerCaseBody", hashes((text) => text.toLowerCase())],
    ["the body as a JSON text", "node", "bodyHash.stringTwice", hashes((text) => JSON.stringify(text))],
    ["a byte order mark hashed", "windows", "bodyHash.byteOrderMark", hashes((text) => `\ufeff${text}`)],
    [
      "Latin-1 hashed",
      "java",
      "bodyHash.latin1",
      (d) => {
        const text = d.body.toString().replace("—", "é");
        d.body = Buffer.from(text);
        d.hashedBody = Buffer.from(text, "latin1");
      },
    ],
  ]),
  ...mistakes(
    "encoding of the body",
    "bodyHash",
    [
      [
        "minified for the hash alone",
        "neo",
        "bodyHash.minified",
        (d) => void (d.body = Buffer.from(rewritten(d.body.toString(), 2))),
      ],
      [
        "a line break sent and not hashed",
        "curl",
        "bodyHash.minified",
        (d) => void (d.body = Buffer.from(`${d.body.toString()}\n`)),
      ],
    ],
    "asymmetric",
  ),
];
