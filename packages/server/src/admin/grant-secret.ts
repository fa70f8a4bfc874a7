/**
 * Authorization codes and refresh tokens as texts: `<grant>.<generation>.<32 random bytes>`, at most 80 characters.
 * The first two parts find the row, the third proves it; the database has the hash of the whole and nothing else.
 */
import { hash } from "node:crypto";
import { fromReferenceNo, newSecret, toReferenceNo } from "../ids.ts";

/** Of a grant's authorization code; its refresh tokens have the later ones. */
export const codeGeneration = 0;

export interface GrantSecret {
  readonly text: string;
  readonly hash: Buffer;
}

/** What a text says of itself; whether it is good is in the database. */
export interface ReadSecret {
  /** Of the grant. */
  readonly id: string;
  readonly generation: number;
  readonly hash: Buffer;
}

const shape = /^([0-9A-Z]{26})\.(0|[1-9]\d{0,8})\.[\w-]{43}$/;

/** A new secret of the grant's given generation. */
export function makeGrantSecret(id: string, generation: number): GrantSecret {
  const text = `${toReferenceNo(id)}.${generation}.${newSecret(32)}`;
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
