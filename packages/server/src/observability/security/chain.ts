/**
 * The chain of a security log (ADR 0076): each line holds its number, the hash of the line before it and its own, which is the
 * SHA-256 of the line as it is written, without it.
 */
import { hash } from "node:crypto";
import { newId } from "../../basics/ids.ts";
import type { SecurityEvent, SecurityFacts } from "./security-event.ts";

export interface Chain {
  /** The next line, without its end. `at`: epoch ms. */
  line(event: SecurityEvent, at: number, facts: SecurityFacts): string;
}

/** Precedes the first line of a chain. */
export const noHash = "0".repeat(64);
/** Reason of a `log.opened` behind the rest of a line that was not written to its end. */
export const cutOff = "cut_off_line";

const textLengthMax = 200;

export function createChain(): Chain {
  const chain = newId();
  let sequence = 0;
  let previous = noHash;
  return {
    line(event, at, facts) {
      sequence += 1;
      const time = new Date(at).toISOString();
      const text = JSON.stringify({ chain, sequence, time, event, ...shorten(facts), previous });
      previous = hash("sha256", text);
      return `${text.slice(0, -1)},"hash":"${previous}"}`;
    },
  };
}

const members = ["address", "partner", "identity", "operation", "correlationId", "reason", "act", "target"] as const;
const rest = ["count", "processId", "after"] as const;

/** Named members alone, in a fixed order. */
function shorten(facts: SecurityFacts): Record<string, unknown> {
  const short: Record<string, unknown> = {};
  for (const name of members) if (facts[name] !== undefined) short[name] = String(facts[name]).slice(0, textLengthMax);
  for (const name of rest) if (facts[name] !== undefined) short[name] = facts[name];
  return short;
}

/** A line of a security log. */
export interface SecurityLine extends SecurityFacts {
  readonly chain: string;
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly event: SecurityEvent;
  readonly previous: string;
  readonly hash: string;
}

const written = /^(\{"chain":".*),"hash":"([0-9a-f]{64})"\}$/;

/** Undefined: it is no line of a security log, or not as it was written. */
export function readLine(text: string): SecurityLine | undefined {
  const [, body, own] = written.exec(text) ?? [];
  if (body === undefined || hash("sha256", `${body}}`) !== own) return undefined;
  // Our own line, as its hash says.
  return JSON.parse(text) as SecurityLine;
}
