/** The only place that makes random ids, and the two forms of our own numbers: UUIDv7 inside, 26 characters outside. */
import { randomBytes, randomFillSync } from "node:crypto";

const pool = Buffer.alloc(4096);
let poolOffset = pool.length;
let lastMs = 0;
let sequence = 0;

/** A clock that was set back by more was wrong before: ids are of its time again. */
const aheadMaxMs = 60_000;

/** The cell of everything that is in no other: the only one, until there are more. */
export const homeCell = 0;

/**
 * A new UUIDv7 in the form PostgreSQL writes it. Ordered within this process: the 12 bits after the millisecond count up.
 * Its last byte is the cell, 0 to 255, whose database has its row: what it names is found by its number alone.
 */
export function newId(cell: number = homeCell): string {
  const ms = Date.now();
  if (ms > lastMs || ms < lastMs - aheadMaxMs) {
    lastMs = ms;
    sequence = 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  const offset = takeEightBytes();
  const tail = (pool.readUInt8(offset) & 0x3f) | 0x80;
  const rest = pool.toString("hex", offset + 1, offset + 7) + twoDigits[cell];
  const time = lastMs.toString(16).padStart(12, "0");
  const variant = tail.toString(16) + rest.slice(0, 2);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-${variant}-${rest.slice(2)}`;
}

/** Its cell, of an id that was made since there are several; an older one is home's. */
export function cellOf(id: string): number {
  return Number.parseInt(id.slice(-2), 16);
}

/**
 * Stands in place of a request's id where a cell has given up a key (docs/adr/0100-rebound-keys.md): a UUID of version 8, where ours have 7.
 * `at`: business time (epoch ms). It has time and cell where an id has them, and nothing random.
 */
export function fenceId(at: number, cell: number): string {
  const time = at.toString(16).padStart(12, "0");
  return toUuid(`${time}${"80008".padEnd(18, "0")}${twoDigits[cell]}`);
}

export function isFence(id: string): boolean {
  return id.charAt(fenceVersionAt) === "8";
}

/** Where the version stands in the text of a UUID. */
const fenceVersionAt = 14;

const twoDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Where eight fresh random bytes stand in the pool: asking the system for so few each time costs 2 µs. */
function takeEightBytes(): number {
  if (poolOffset + 8 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += 8;
  return poolOffset - 8;
}

/** When a UUIDv7, or a fence, was made (epoch ms). */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The id that stands before every UUIDv7 of the given millisecond (epoch ms) and behind every earlier one. */
export function idAt(ms: number): string {
  return toUuid(Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").padEnd(32, "0"));
}

/** No id is below it: where a walk over ids begins. */
export const lowestId = "00000000-0000-0000-0000-000000000000";

/** No id is above it: where a list of the newest begins. */
export const highestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** 32 hex digits in the form PostgreSQL writes a uuid. */
export function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** All two-character texts, in order: the text of ten bits. */
const pairs = Array.from(alphabet, (first) => Array.from(alphabet, (second) => first + second)).flat();

/**
 * Crockford's base 32 of hex digits, five of them (20 bits) at a time: a bigint shifted 26 times took more than twice as
 * long.
 */
export function toBase32(hex: string): string {
  let text = "";
  for (let at = 0; at < hex.length; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += `${pairs[bits >> 10]}${pairs[bits & 0x3ff]}`;
  }
  return text;
}

/** Our own number (`referenceNo`, `captureNo`…) of an id: 26 characters, of its first eight bits, then of the others. */
export function toReferenceNo(id: string): string {
  const hex = id.replaceAll("-", "");
  return (pairs[Number.parseInt(hex.slice(0, 2), 16)] ?? "") + toBase32(hex.slice(2));
}

/** The id of our own number, or undefined when the text cannot be one of ours. */
export function fromReferenceNo(text: string): string | undefined {
  if (text.length !== 26 || !/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return undefined;
  let hex = hexOf(text.slice(0, 2)).padStart(2, "0");
  for (let at = 2; at < text.length; at += 4) hex += hexOf(text.slice(at, at + 4)).padStart(5, "0");
  return toUuid(hex);
}

/** Hex digits of a few characters of base 32: so many as a number has bits for. */
function hexOf(characters: string): string {
  let bits = 0;
  for (const character of characters) bits = (bits << 5) | alphabet.indexOf(character);
  return bits.toString(16);
}

const externalIdRange = 10n ** 32n;

/** The `X-EXTERNAL-ID` of a notification: 32 digits of its id, the same on every attempt (spec D5, D14). */
export function externalIdOf(id: string): string {
  return (BigInt(`0x${id.replaceAll("-", "")}`) % externalIdRange).toString().padStart(32, "0");
}

/** Bits of a UUIDv7 below its time of 48. */
const belowTime = 80n;

/**
 * The ids made from `from` to `until` (epoch ms) that have this `X-EXTERNAL-ID` of a notification. Its digits are those of
 * the id without its highest 22 bits, which are bits of its time: about one number in 23 hours of it, and of 64 such one
 * has the form of an id, so that a year has about six.
 */
export function idsOfExternalId(externalId: string, from: number, until: number): readonly string[] {
  if (!/^\d{32}$/.test(externalId)) return [];
  const digits = BigInt(externalId);
  const lowest = BigInt(from) << belowTime;
  const highest = (BigInt(until) + 1n) << belowTime;
  const first = lowest <= digits ? 0n : (lowest - digits + externalIdRange - 1n) / externalIdRange;
  const ids: string[] = [];
  for (let value = digits + first * externalIdRange; value < highest; value += externalIdRange) {
    const id = toUuid(value.toString(16).padStart(32, "0"));
    if (/^.{14}7.{4}[89ab]/.test(id)) ids.push(id);
  }
  return ids;
}

/** A secret of the given number of random bytes, as URL-safe text. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** A random id for log lines and responses, never a key. */
export function newCorrelationId(): string {
  const offset = takeEightBytes();
  return pool.toString("hex", offset, offset + 8);
}
