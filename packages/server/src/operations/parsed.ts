import type { Reply } from "../interfaces/call.ts";

/** What an operation reads of a request beyond its fields, or the reply to give instead (spec D2, steps 11 and 12). */
export type Parsed<Value> =
  | { readonly ok: true; readonly parsed: Value }
  | { readonly ok: false; readonly reply: Reply };
