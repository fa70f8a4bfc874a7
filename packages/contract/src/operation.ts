/** One row of the contract: everything public about one service code. */
import type { Fields } from "./fields/field.ts";
import { mandatory } from "./fields/field.ts";
import { ResponseCode, ResponseMessage } from "./fields/types.ts";

/** Every response carries these two (specification, general rule 1). */
export const envelope = {
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
};

export type Envelope = typeof envelope;

/** `write` moves or reserves; `notification` is received by the partner; `token` is 73 and 74. */
export type OperationKind = "write" | "read" | "notification" | "token";
export type Direction = "toProvider" | "toPartner";

/** A row with its exact name and fields. */
export interface Operation<Name extends string, Request extends Fields, Response extends Fields> {
  /** Two digits. */
  readonly code: string;
  readonly name: Name;
  /** What follows `{prefix}/{version}/`. */
  readonly path: string;
  readonly kind: OperationKind;
  readonly direction: Direction;
  readonly title: string;
  readonly request: Request;
  /** The envelope first, then the operation's own fields. */
  readonly response: Response;
}

/** What `defineOperation` is given: the row without the envelope, which it adds. */
type Definition<Name extends string, Request extends Fields, Response extends Fields> = Omit<
  Operation<Name, Request, Response>,
  "response"
> & { readonly response: Response };

export function defineOperation<const Name extends string, const Request extends Fields, const Response extends Fields>(
  definition: Definition<Name, Request, Response>,
): Operation<Name, Request, Envelope & Response> {
  return { ...definition, response: { ...envelope, ...definition.response } };
}
