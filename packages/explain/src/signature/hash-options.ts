/** Hashes of the body that callers put into the text instead of lower-case hex SHA-256 of the bytes they send. */
import { createHmac, hash } from "node:crypto";
import { hashBody } from "@titian/contract";
import { bodyTexts, wholeBodyMax } from "./body-texts.ts";
import { distinct, type Option, type Variation, variation } from "./variation.ts";

type Bytes = string | Uint8Array;

/** Bodies up to this length are hashed in other ways beside another mistake; up to that in the text as they are. */
const shortBody = 16 * 1_024;
const bodyInTextMax = 2 * 1_024;

export function hashOptions(body: Uint8Array, secrets: readonly string[]): readonly Option[] {
  const others = bodyTexts(body);
  const right = hashBody(body);
  const isShort = body.length <= shortBody;
  const hashes = others.map(({ text, id }) => ({ text, value: hash("sha256", text), by: [variation("bodyHash", id)] }));
  return distinct<string | undefined>([
    { value: right, by: [] },
    ...hashes.map(({ value, by }) => ({ value, by })),
    ...spellings(right, []),
    ...(body.length > wholeBodyMax ? [] : otherDigests(body, [])),
    { value: hash("sha256", right), by: [variation("bodyHash", "bodyHash.twice")] },
    { value: undefined, by: [variation("bodyHash", "bodyHash.leftOut")] },
    { value: "", by: [variation("bodyHash", "bodyHash.leftOut")] },
    ...theBodyItself(body, []),
    ...(body.length > wholeBodyMax ? [] : secrets.flatMap((secret) => hmacs(body, secret))),
    // Two mistakes in the hash alone.
    ...hashes.flatMap(({ value, by }) => spellings(value, by)),
    ...hashes.flatMap(({ text, by }) => (isShort ? otherDigests(text, by) : [])),
    ...hashes.flatMap(({ text, by }) => (isShort ? theBodyItself(text, by) : [])),
  ]);
}

/** The same digest in other letters. */
function spellings(hex: string, by: readonly Variation[]): readonly Option[] {
  const bytes = Buffer.from(hex, "hex");
  return [
    { value: hex.toUpperCase(), by: [...by, variation("bodyHash", "bodyHash.upperCase")] },
    { value: bytes.toString("base64"), by: [...by, variation("bodyHash", "bodyHash.base64")] },
    { value: bytes.toString("base64url"), by: [...by, variation("bodyHash", "bodyHash.base64")] },
    { value: Buffer.from(hex).toString("base64"), by: [...by, variation("bodyHash", "bodyHash.base64OfHex")] },
  ];
}

function otherDigests(text: Bytes, by: readonly Variation[]): readonly Option[] {
  return (["sha512", "sha1", "md5", "sha384"] as const).flatMap((name) => {
    const value = hash(name, text);
    const otherBy = [...by, variation("bodyHash", "bodyHash.otherDigest", { digest: digestNames[name] })];
    return [
      { value, by: otherBy },
      { value: Buffer.from(value, "hex").toString("base64"), by: otherBy, isAlone: true },
    ];
  });
}

function hmacs(body: Uint8Array, secret: string): readonly Option[] {
  return (["sha256", "sha512"] as const).flatMap((name) => {
    const bytes = createHmac(name, secret).update(body).digest();
    const by = [variation("bodyHash", "bodyHash.hmac", { digest: digestNames[name] })];
    return [
      { value: bytes.toString("hex"), by, isAlone: true },
      { value: bytes.toString("base64"), by, isAlone: true },
    ];
  });
}

const digestNames = { sha256: "SHA-256", sha512: "SHA-512", sha384: "SHA-384", sha1: "SHA-1", md5: "MD5" } as const;

function theBodyItself(text: Bytes, by: readonly Variation[]): readonly Option[] {
  if (by.length > 0 && text.length > bodyInTextMax) return [];
  const value = typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  if (value.length > wholeBodyMax) return [];
  const itself = variation("bodyHash", "bodyHash.bodyItself");
  return [
    { value, by: [...by, itself], isAlone: text.length > bodyInTextMax },
    { value: Buffer.from(text).toString("base64"), by: [...by, itself], isAlone: true },
  ];
}
