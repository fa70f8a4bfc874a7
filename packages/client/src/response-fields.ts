/** The fields of an answer that was read, first loosely, then as the operation's row types them. */
import type { Envelope, ReadFields, UnsuccessfulValues, ValuesOf } from "@titian/contract";
import type { CallName, RowOf } from "./names.ts";

/** The operation's fields when only the envelope is certain: of a 202, a refusal, the first answer of a repeat. */
export type PartialResponseOf<Name extends CallName> = UnsuccessfulValues<RowOf<Name>["response"]>;

export type ResponseFields = ReadFields & ValuesOf<Envelope>;

/** The row typed these fields and `readResponse` has checked them against it: the one place where the two meet. */
export function typeFields<Name extends CallName>(_operation: Name, fields: ResponseFields): PartialResponseOf<Name> {
  return fields;
}

export function hasEnvelope(fields: ReadFields): fields is ResponseFields {
  return typeof fields.responseCode === "string" && typeof fields.responseMessage === "string";
}
