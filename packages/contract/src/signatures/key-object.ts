/** Parsed keys as `node:crypto` takes them. */
import type { KeyObject } from "node:crypto";
import type { ParsedKey } from "./parsed-key.ts";

export const toKeyObject = (key: ParsedKey): KeyObject => key as KeyObject;
