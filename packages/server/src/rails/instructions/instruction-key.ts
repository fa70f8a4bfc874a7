/**
 * The idempotency key of an instruction: derived from what the partner intended, not from our row. After a restore of
 * the database the partner's repeat is a new row with a new number, and has the key that the rail knows
 * (docs/reference/rails.md).
 */
import { hash } from "node:crypto";
import { toBase32 } from "../../basics/ids.ts";

/** Identity of a payment, for ever (spec D7). An item has its own number in it, whichever bulk it comes in. */
export interface Intent {
  /** Internal id of the partner. */
  readonly partner: string;
  /** Service code. */
  readonly service: number;
  /** The partner's own number (`partnerReferenceNo`). */
  readonly partnerReferenceNo: string;
}

/** Digits of 20 bytes. */
const hexDigits = 40;

/** 32 characters: the first 20 bytes of SHA-256 over a JSON array, which no two intents share. Never changed: rails keep it. */
export function instructionKey({ partner, service, partnerReferenceNo }: Intent): string {
  const digest = hash("sha256", JSON.stringify([partner, String(service), partnerReferenceNo]), "hex");
  return toBase32(digest.slice(0, hexDigits));
}
