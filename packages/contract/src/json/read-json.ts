/** Bytes in, a strict JSON object out (spec D5). */
import type { OperationRow } from "../operations.ts";
import { freeFormNames } from "./free-form-names.ts";
import type { JsonFault } from "./json-fault.ts";
import { type ScanLimits, scanJson } from "./scan-json.ts";

export type ReadJson =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>>;
      /** Bytes of free-form members as received, by path: `additionalInfo`, `bulkObject[2].additionalInfo`. */
      readonly freeForm: ReadonlyMap<string, Uint8Array>;
      /** True: there is white space outside strings, so that the minified bytes differ (decisions D4, D7). */
      readonly hasOuterWhitespace: boolean;
    }
  | { readonly ok: false; readonly reason: JsonFault };

export interface ReadJsonOptions extends Partial<ScanLimits> {
  /** Part whose free-form members are kept; the request when left out. */
  readonly part?: "request" | "response";
}

/**
 * Depth of spec D17; one free-form member may be as long as a whole ordinary body. The largest bulk has 10,000 items: they
 * may have 50 values each.
 */
const defaults: ScanLimits = { maxDepth: 16, maxFreeFormBytes: 65_536, maxValues: 500_000, maxMembers: 10_000 };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the body of a call. Rejects what is not one JSON object in UTF-8, and what two parsers could read
 * differently: duplicate keys, `__proto__`, lone surrogates, a byte order mark. Free-form members are slices of the
 * given bytes, not copies. Never throws.
 */
export function readJson(bytes: Uint8Array, row: OperationRow, options?: ReadJsonOptions): ReadJson {
  const limits = options === undefined ? defaults : { ...defaults, ...options };
  const scan = scanJson(bytes, freeFormNames(row[options?.part ?? "request"]), limits);
  if (!scan.ok) return scan.reason === "notObject" && !isJson(bytes) ? { ok: false, reason: "syntax" } : scan;
  const text = decode(bytes);
  if (text === undefined) return { ok: false, reason: "encoding" };
  const value = parse(text);
  if (value === undefined) return { ok: false, reason: "syntax" };
  // A duplicate key in one object is read once: fewer members than colons.
  const members = countMembers(value);
  if (Number.isNaN(members)) return { ok: false, reason: "forbiddenKey" };
  if (members !== scan.members) return { ok: false, reason: "duplicateKey" };
  return { ok: true, value, freeForm: scan.freeForm, hasOuterWhitespace: scan.hasOuterWhitespace };
}

/** True for bytes without an object at the top that are JSON all the same. */
function isJson(bytes: Uint8Array): boolean {
  const text = decode(bytes);
  return text !== undefined && parse(text) !== undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Members of all objects in a value, or NaN when one of them is called `__proto__`. Depth is bounded by the scan. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const entry of value) count += countMembers(entry);
    return count;
  }
  const members = Object.values(value);
  for (const member of members) count += 1 + countMembers(member);
  return Object.hasOwn(value, "__proto__") ? Number.NaN : count;
}
