/**
 * Authorization codes and refresh tokens as texts: `<grant>.<generation>.<32 secret bytes>`, at most 80 characters.
 * The first two parts find the row, the third proves it; the database has the hash of the whole and nothing else.
 */
import { createHmac, hash } from "node:crypto";
import { fromReferenceNo, newSecret, toReferenceNo } from "../../basics/ids.ts";

/** Generation of a grant's authorization code; its refresh tokens have the later ones. */
export const codeGeneration = 0;

export interface GrantSecret {
  readonly text: string;
  readonly hash: Buffer;
}

/** Parts of a presented secret; the database decides whether it is valid. */
export interface ReadSecret {
  /** Id of the grant. */
  readonly id: string;
  readonly generation: number;
  readonly hash: Buffer;
}

const shape = /^([0-9A-Z]{26})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/;

/** The code of a new grant. */
export function makeAuthCode(id: string): GrantSecret {
  return secretOf(id, codeGeneration, newSecret(32));
}

/**
 * The secret that follows the one presented, made of it: whoever repeats a refresh whose response was lost gets the same
 * next refresh token again, on every node, although only its hash is kept. Nobody can make it without our key.
 */
export function makeNextSecret(text: string, { id, generation }: ReadSecret, key: Buffer): GrantSecret {
  return secretOf(id, generation + 1, createHmac("sha256", key).update(text).digest("base64url"));
}

function secretOf(id: string, generation: number, proof: string): GrantSecret {
  const text = `${toReferenceNo(id)}.${generation}.${proof}`;
  return { text, hash: hashOf(text) };
}

/** Undefined when the text cannot be one of ours. */
export function readGrantSecret(text: string): ReadSecret | undefined {
  const [, no = "", generation = ""] = shape.exec(text) ?? [];
  const id = fromReferenceNo(no);
  return id === undefined ? undefined : { id, generation: Number(generation), hash: hashOf(text) };
}

function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
