/** Hashes of words: eight bytes, as the text of a bigint. A candidate is compared with its record, so two words may share one. */
import { hash } from "node:crypto";
import type { Word } from "./words.ts";

// The separator cannot stand in any part: the edge rejects control characters.
const separator = "\u001f";

/** Hash of a word that is kept without a key: it is no secret to those who may read the record. */
export function hashOpenWord({ kind, text, day = "" }: Word): string {
  const own = digest([kind, day, text]);
  if (kind === "account") return toBigint(own);
  // Numbers that a caller counts up, and amounts of one day, are neighbours: a commit's words are on the same few pages.
  const shared = kind === "number" ? digest([kind, text.slice(0, -3)]) : digest([kind, day]);
  return toBigint(Buffer.concat([shared.subarray(0, 4), own.subarray(0, 4)]));
}

/** HMAC-SHA-256. Of two one-shot hashes: a `Hmac` object a word took a third of the time of a record. */
export function hashKeyedWord({ kind, text }: Word, key: Buffer): string {
  const { inner, outer } = padsOf(key);
  const own = hash("sha256", Buffer.concat([inner, Buffer.from(kind + separator + text)]), "buffer");
  return toBigint(hash("sha256", Buffer.concat([outer, own]), "buffer"));
}

interface Pads {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

const pads = new WeakMap<Buffer, Pads>();

function padsOf(key: Buffer): Pads {
  let found = pads.get(key);
  if (found === undefined) pads.set(key, (found = { inner: pad(key, 0x36), outer: pad(key, 0x5c) }));
  return found;
}

/** Keys have at most a block, as ours do. */
function pad(key: Buffer, byte: number): Buffer {
  const block = Buffer.alloc(64, byte);
  for (let at = 0; at < key.length; at += 1) block.writeUInt8(key.readUInt8(at) ^ byte, at);
  return block;
}

export function isKeyed({ kind }: Word): boolean {
  return kind === "foreign" || kind === "name";
}

function digest(parts: readonly string[]): Buffer {
  return hash("sha256", parts.join(separator), "buffer");
}

function toBigint(bytes: Buffer): string {
  return bytes.readBigInt64BE().toString();
}
