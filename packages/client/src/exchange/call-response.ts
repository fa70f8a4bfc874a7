/** The response of a call that succeeded or was accepted. */
import { type ResponseOf, responseCases } from "@titian/contract";
import type { CallName, TokenName, WriteName } from "../names.ts";
import type { PartialResponseOf, ResponseFields } from "../response-fields.ts";

interface CallInfo<Name extends CallName> {
  readonly operation: Name;
  /** The body as received. Not enumerable, so that copies and log lines do not contain it. */
  readonly raw: string;
}

/** `X-EXTERNAL-ID` of the call; 73 and 74 have none. */
type WithExternalId<Name extends CallName> = Name extends TokenName ? unknown : { readonly externalId: string };

/** Success (HTTP 200): every mandatory field is present. */
export type Success<Name extends CallName> = ResponseOf<Name> &
  CallInfo<Name> &
  WithExternalId<Name> & { readonly case: "success"; readonly httpStatus: 200 };

/** Accepted, not final (HTTP 202): money may be reserved or debited; ask for the status. */
export type InProgress<Name extends CallName> = PartialResponseOf<Name> &
  CallInfo<Name> &
  WithExternalId<Name> & { readonly case: "requestInProgress"; readonly httpStatus: 202 };

/** The operation's fields and those of the call. A write may be in progress: check `case`. */
export type CallResponse<Name extends CallName> = Name extends WriteName
  ? Success<Name> | InProgress<Name>
  : Success<Name>;

interface CallIdentity<Name extends CallName> {
  readonly operation: Name;
  readonly externalId?: string | undefined;
}

interface ResponseText {
  readonly case: "success" | "requestInProgress";
  readonly fields: ResponseFields;
  readonly raw: string;
}

/** Gives the fields, checked against the operation's row, its type. */
export function makeResponse<Name extends CallName>(call: CallIdentity<Name>, text: ResponseText): CallResponse<Name> {
  const { operation, externalId } = call;
  const response = {
    ...text.fields,
    operation,
    ...(externalId === undefined ? {} : { externalId }),
    case: text.case,
    httpStatus: responseCases[text.case].status,
  };
  return Object.defineProperty(response, "raw", { value: text.raw }) as CallResponse<Name>;
}
