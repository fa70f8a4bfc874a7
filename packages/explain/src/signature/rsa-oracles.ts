/**
 * RSA signatures: the public key is applied once, and what comes out names the digest and the padding. After that each
 * text costs one digest. Only PSS, which is salted, is verified text by text.
 */
import { constants, hash, type KeyObject, verify } from "node:crypto";
import type { Decoding } from "./decode-signature.ts";
import { algorithm, digestOfLength, digestTitles, type Oracle } from "./oracle.ts";
import type { HmacDigest } from "./repeated-hmac.ts";
import { pkcs1Content, type ReadRsaBlock } from "./rsa-blocks.ts";
import type { TextSet } from "./signed-texts.ts";
import type { Variation } from "./variation.ts";

const pssCost = 60;
/** Last byte of a PSS block (RFC 8017, 9.1.1). */
const pssTrailer = 0xbc;
/** DER of DigestInfo up to the digest (RFC 8017, 9.2, note 1). */
const digestInfos: Readonly<Record<string, HmacDigest>> = {
  "3020300c06082a864886f70d020505000410": "md5",
  "3021300906052b0e03021a05000414": "sha1",
  "3031300d060960864801650304020105000420": "sha256",
  "3041300d060960864801650304020205000430": "sha384",
  "3051300d060960864801650304020305000440": "sha512",
};

export interface RsaKey {
  readonly pem: string;
  readonly by: readonly Variation[];
}

export interface RsaSubject {
  readonly texts: TextSet;
  readonly mode: readonly Variation[];
  readonly readBlock: ReadRsaBlock;
}

/** `mode`: what it already says that RSA was used. Empty when the key did not make the signature. */
export function rsaOracles(
  { bytes, by }: Decoding,
  key: RsaKey,
  { texts, mode, readBlock }: RsaSubject,
): readonly Oracle[] {
  const block = readBlock(key.pem, bytes);
  if (block === undefined) return [];
  const reasons = [...mode, ...key.by, ...by];
  const content = pkcs1Content(block);
  if (content !== undefined) return pkcs1Oracles(content, reasons, texts);
  return block.bytes.at(-1) === pssTrailer ? pssOracles(block.key, bytes, reasons, texts) : [];
}

function pkcs1Oracles(block: Buffer, by: readonly Variation[], texts: TextSet): readonly Oracle[] {
  const made = (id: Parameters<typeof algorithm>[0], name: string, verifies: Oracle["verifies"]): Oracle => ({
    by: id === "algorithm.rsa" ? by : [algorithm(id, name), ...by],
    texts,
    verifies,
    cost: 1,
  });
  const hex = block.toString("hex");
  const info = Object.keys(digestInfos).find((prefix) => hex.startsWith(prefix));
  if (info === undefined) {
    const name = digestOfLength(block.length) ?? digestOfLength(block.length / 2);
    return [
      made("algorithm.notHashed", "RSA", (text) => block.equals(Buffer.from(text))),
      ...(name === undefined
        ? []
        : [
            made("algorithm.noDigestInfo", digestTitles[name], (text) => hash(name, text, "buffer").equals(block)),
            made("algorithm.noDigestInfo", digestTitles[name], (text) => hash(name, text) === block.toString("latin1")),
          ]),
    ];
  }
  const name = digestInfos[info] as HmacDigest;
  const digest = block.subarray(info.length / 2);
  const title = `RSA-${digestTitles[name]}`;
  return [
    made(name === "sha256" ? "algorithm.rsa" : "algorithm.otherRsa", title, (text) =>
      hash(name, text, "buffer").equals(digest),
    ),
    ...(["hex", "buffer"] as const).map((form) =>
      made("algorithm.hashedTwice", digestTitles[name], (text) =>
        hash(name, hash(name, text, form), "buffer").equals(digest),
      ),
    ),
  ];
}

function pssOracles(key: KeyObject, bytes: Buffer, by: readonly Variation[], texts: TextSet): readonly Oracle[] {
  return (["sha256", "sha512"] as const).map((name) => ({
    by: [algorithm("algorithm.pss", `RSA-PSS ${digestTitles[name]}`), ...by],
    texts,
    verifies: (text) =>
      verify(
        name,
        Buffer.from(text),
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
        bytes,
      ),
    cost: pssCost,
  }));
}
