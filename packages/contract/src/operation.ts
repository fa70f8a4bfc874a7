/** One row of the contract: everything public about one service code. */
import type { Described } from "./fields/descriptions.ts";
import { mandatory } from "./fields/field.ts";
import type { Fields, ValuesOf } from "./fields/field-type.ts";
import type { Schema } from "./fields/schema.ts";
import { ResponseCode, ResponseMessage } from "./fields/types.ts";
import type { CaseName } from "./response-cases.ts";
import { responseCode, responseMessage } from "./response-code.ts";
import type { About, AboutOf } from "./about.ts";

/** Every response carries these two (specification, general rule 1). */
export const envelope = {
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
};

export type Envelope = typeof envelope;

/** `write` moves or reserves; `notification` is received by the partner; `token` is 73 and 74. */
export type OperationKind = "write" | "read" | "notification" | "token";
export type Direction = "toProvider" | "toPartner";

interface Description<
  Name extends string,
  Request extends Fields,
  Response extends Fields,
  Kind extends OperationKind,
  To extends Direction,
  Facts,
  Code extends string,
> {
  /** Two digits. */
  readonly code: Code;
  readonly name: Name;
  /** Path after `{prefix}/{version}/`. */
  readonly path: string;
  readonly kind: Kind;
  readonly direction: To;
  /** Its facts beyond the fields: whatever else tells them loops over the rows. */
  readonly about: Facts;
  readonly title: string;
  /** The title in Indonesian. */
  readonly titleTranslations: { readonly id: string };
  /** One or two sentences for the documentation. */
  readonly description: string;
  /** The same in Indonesian. */
  readonly descriptionTranslations: { readonly id: string };
  readonly request: Request;
  readonly response: Response;
  /**
   * The name of a field that is missing although it is not mandatory by itself: one of several is needed, or another
   * field's value needs it. Reads the request as received: missing outranks malformed here too (spec D2, step 11).
   */
  readonly findMissing?: (sent: Readonly<Record<string, unknown>>) => string | undefined;
  /** Schemas of which a request must fit one, beside its fields: for the documentation of a rule between fields. */
  readonly alternatives?: readonly Schema[];
  /** Rejection cases of step 14 of spec D2; those of the steps before are the same for all operations. */
  readonly cases: readonly CaseName[];
  /** Field of an item that the message of a case names (`bulkObject[3].bankCode`), in an operation with items. */
  readonly itemFields?: Readonly<Partial<Record<CaseName, string>>>;
}

/**
 * A row with its exact name and fields; `response` starts with the envelope. What the client derives its methods from is exact
 * too, and so are the facts.
 */
export interface Operation<
  Name extends string,
  Request extends Fields,
  Response extends Fields,
  Kind extends OperationKind = OperationKind,
  To extends Direction = Direction,
  Facts extends About = About,
  Code extends string = string,
> extends Description<Name, Request, Response, Kind, To, Facts, Code> {
  /** A request and its successful response. */
  readonly example: { readonly request: ValuesOf<Request>; readonly response: ValuesOf<Response> };
}

/** A row without the envelope, which `defineOperation` adds to the response and to its example. */
interface Definition<
  Name extends string,
  Request extends Fields,
  Response extends Fields,
  Kind extends OperationKind,
  To extends Direction,
  Facts,
  Code extends string,
> extends Description<Name, Request, Response, Kind, To, Facts, Code> {
  readonly example: {
    readonly request: ValuesOf<NoInfer<Request>>;
    readonly response: ValuesOf<NoInfer<Response>>;
  };
}

export function defineOperation<
  const Name extends string,
  const Request extends Fields,
  const Response extends Fields,
  const Kind extends OperationKind,
  const To extends Direction,
  const Facts extends AboutOf<Kind, Request, Response>,
  const Code extends string,
>(
  definition: Definition<Name, Request, Response, Kind, To, Facts, Code> & {
    readonly request: Described<Request>;
    readonly response: Described<Response>;
  },
): Operation<Name, Request, Envelope & Response, Kind, To, Facts, Code> {
  const success = {
    responseCode: responseCode("success", definition.code),
    responseMessage: responseMessage("success"),
  };
  return {
    ...definition,
    response: { ...envelope, ...definition.response },
    example: { request: definition.example.request, response: { ...success, ...definition.example.response } },
  };
}
