/** The fields of a response, untyped and with the types of the operation's row. */
import type { Envelope, ReadFields, ResponseOf, UnsuccessfulValues, ValuesOf } from "@titian/contract";
import type { CallName, RowOf, WriteName } from "./names.ts";

/** The operation's fields with only the envelope mandatory: of a 202, a rejection, the original response of a repeat. */
export type PartialResponseOf<Name extends CallName> = UnsuccessfulValues<RowOf<Name>["response"]>;

/** The same with the provider's number, which an accepted write has. */
export type SettledResponseOf<Name extends WriteName> = PartialResponseOf<Name> &
  Pick<ResponseOf<Name>, RowOf<Name>["about"]["number"] & keyof ResponseOf<Name>>;

export type ResponseFields = ReadFields & ValuesOf<Envelope>;

/** `readResponse` has checked the fields against the row of these types. */
export function typeFields<Name extends CallName>(_operation: Name, fields: ResponseFields): PartialResponseOf<Name> {
  return fields;
}

export function hasEnvelope(fields: ReadFields): fields is ResponseFields {
  return typeof fields.responseCode === "string" && typeof fields.responseMessage === "string";
}
