import type { Reply } from "../interfaces/call.ts";

/** Result of reading a request beyond its fields: values, or the reply to give instead (spec D2, steps 11 and 12). */
export type ParsedRequest<Value> =
  | { readonly ok: true; readonly parsed: Value }
  | { readonly ok: false; readonly reply: Reply };
