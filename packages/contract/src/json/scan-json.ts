/**
 * One pass over the bytes of a JSON object for what `JSON.parse` does not report: depth, half surrogates, the number of
 * members, white space outside strings, and the bytes of free-form members. It trusts the syntax, which `JSON.parse`
 * checks afterwards: on bytes that are not JSON its findings mean nothing, and it ends all the same.
 */
import { isWhiteSpace } from "../signatures/minify.ts";
import type { FreeFormNames } from "./free-form-names.ts";
import { createSlices, enterValue, leaveValue } from "./free-form-slices.ts";
import type { JsonFault } from "./json-fault.ts";
import { skipString } from "./skip-string.ts";

export interface ScanLimits {
  /** Most containers inside one another, the top object included. */
  readonly maxDepth: number;
  /** Most bytes of one free-form member. */
  readonly maxFreeFormBytes: number;
  /** Most values of all kinds together, and most members of one object: they take more time and memory than bytes. */
  readonly maxValues: number;
  readonly maxMembers: number;
}

export type Scan =
  | {
      readonly ok: true;
      /** Members of all objects together. */
      readonly members: number;
      readonly hasOuterWhitespace: boolean;
      readonly freeForm: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly ok: false; readonly reason: JsonFault };

const reject = (reason: JsonFault): Scan => ({ ok: false, reason });

export function scanJson(bytes: Uint8Array, names: FreeFormNames, limits: ScanLimits): Scan {
  const top = findTop(bytes);
  if (bytes[top] !== 0x7b)
    return reject(bytes[0] === 0xef ? "byteOrderMark" : top === bytes.length ? "syntax" : "notObject");
  const slices = createSlices(bytes, names);
  let hasOuterWhitespace = top > 0;
  let members = 0;
  let values = 0;
  /** Members of the objects around the place, by depth. */
  const own: number[] = [];
  let ofOne = 0;
  let depth = 0;
  let i = top;
  do {
    switch (bytes[i]) {
      case 0x22: {
        const end = skipString(bytes, i);
        if (end === 0) return reject("loneSurrogate");
        slices.keyStart = i;
        slices.keyEnd = end < 0 ? -end : end;
        slices.keyHasEscapes = end < 0;
        i = slices.keyEnd - 1;
        break;
      }
      case 0x3a: // colon
        members += 1;
        ofOne = (own[depth] ?? 0) + 1;
        own[depth] = ofOne;
        if (ofOne > limits.maxMembers) return reject("tooManyValues");
        if (depth === 1 || depth === 3) enterValue(slices, depth, i);
        break;
      case 0x2c: // comma
        if (leaveValue(slices, depth, i) > limits.maxFreeFormBytes) return reject("freeFormTooLarge");
        if (depth === 2) slices.index += 1;
        values += 1;
        if (values > limits.maxValues) return reject("tooManyValues");
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > limits.maxDepth) return reject("tooDeep");
        own[depth] = 0;
        values += 1;
        if (values > limits.maxValues) return reject("tooManyValues");
        if (depth === 2 && bytes[i] === 0x7b) slices.list = undefined;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (leaveValue(slices, depth, i) > limits.maxFreeFormBytes) return reject("freeFormTooLarge");
        depth -= 1;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        hasOuterWhitespace = true;
        break;
      default: // a byte of a number or a literal
    }
    i += 1;
  } while (depth > 0 && i < bytes.length);
  hasOuterWhitespace ||= isWhiteSpace(bytes[i]);
  return { ok: true, members, hasOuterWhitespace, freeForm: slices.found };
}

/** Index of the first byte that is no white space. */
function findTop(bytes: Uint8Array): number {
  let i = 0;
  while (isWhiteSpace(bytes[i])) i += 1;
  return i;
}
