/** What a call gives when the provider did what was asked, or has taken it on. */
import { type ResponseOf, responseCases } from "@titian/contract";
import type { CallName, TokenName, WriteName } from "./names.ts";
import type { PartialResponseOf, ResponseFields } from "./response-fields.ts";

interface Facts<Name extends CallName> {
  readonly operation: Name;
  /** The answer's body as received. Not enumerable: it is no part of a copy or a log line. */
  readonly raw: string;
}

/** `X-EXTERNAL-ID` of the call; 73 and 74 have none. */
type WithExternalId<Name extends CallName> = Name extends TokenName ? unknown : { readonly externalId: string };

/** Done (HTTP 200): every mandatory field is there. */
export type Success<Name extends CallName> = ResponseOf<Name> &
  Facts<Name> &
  WithExternalId<Name> & { readonly case: "success"; readonly httpStatus: 200 };

/** Accepted, not final (HTTP 202): money may be reserved or moved; ask for the status. */
export type InProgress<Name extends CallName> = PartialResponseOf<Name> &
  Facts<Name> &
  WithExternalId<Name> & { readonly case: "requestInProgress"; readonly httpStatus: 202 };

/** Fields and facts side by side. A write may be in progress: look at `case` before trusting it is done. */
export type Answer<Name extends CallName> = Name extends WriteName ? Success<Name> | InProgress<Name> : Success<Name>;

/** What `makeAnswer` puts together: the fields that were read, and which call they answer. */
interface AnsweredCall<Name extends CallName> {
  readonly operation: Name;
  readonly externalId?: string | undefined;
}

interface AnswerText {
  readonly case: "success" | "requestInProgress";
  readonly fields: ResponseFields;
  readonly raw: string;
}

/** The fields were checked against the operation's row: here they get its type. */
export function makeAnswer<Name extends CallName>(call: AnsweredCall<Name>, text: AnswerText): Answer<Name> {
  const { operation, externalId } = call;
  const answer = {
    ...text.fields,
    operation,
    ...(externalId === undefined ? {} : { externalId }),
    case: text.case,
    httpStatus: responseCases[text.case].status,
  };
  return Object.defineProperty(answer, "raw", { value: text.raw }) as Answer<Name>;
}
