/**
 * Every error a call can throw, except a TypeError for invalid arguments. Each has a stable `code` and tells whether the
 * outcome is final. Bodies are behind getters, so that no log line and no inspection shows them by accident.
 */
import type { CaseName, TransactionStatusCode } from "@titian/contract";
import type { AttemptOf } from "../attempt.ts";
import type { CallName, WriteName } from "../names.ts";
import type { PartialResponseOf } from "../response-fields.ts";

/** The call of an error. */
export interface ErrorContext<Name extends CallName> {
  readonly operation: Name;
  readonly externalId?: string | undefined;
  readonly attempt: AttemptOf<Name>;
  readonly isFinal: boolean;
}

abstract class CallError<Name extends CallName> extends Error {
  abstract readonly code: string;
  readonly operation: Name;
  /** `X-EXTERNAL-ID` of the call; 73 and 74 have none. */
  readonly externalId: string | undefined;
  /**
   * True: the outcome of the call is final, for all its sends, late ones included (spec D7). When false, the write may
   * have taken effect: repeat it with its external id, or ask for its status. Always true for reads.
   */
  readonly isFinal: boolean;
  readonly #attempt: AttemptOf<Name>;

  constructor(message: string, context: ErrorContext<Name>, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = context.operation;
    this.externalId = context.externalId;
    this.isFinal = context.isFinal;
    this.#attempt = context.attempt;
  }

  /** External id and body of the write. */
  get attempt(): AttemptOf<Name> {
    return this.#attempt;
  }
}

/** The parsed response of a provider that rejected a call. */
export interface Rejection<Name extends CallName> {
  readonly httpStatus: number;
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly serviceCode: string;
  readonly caseName: CaseName | undefined;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly isOfAnotherSend: boolean;
  readonly retryAfterMs: number | undefined;
  readonly response: PartialResponseOf<Name>;
  readonly originalResponse: PartialResponseOf<Name> | undefined;
  readonly latestTransactionStatus: TransactionStatusCode | undefined;
}

/** The provider responded, and not with a success. The connection works. */
export class SnapError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "SnapError";
  readonly code = "ERR_SNAP_RESPONSE";
  /** The response case, such as `insufficientFunds`; undefined when the provider's code is in no table. */
  readonly caseName: CaseName | undefined;
  /** 7 digits: HTTP status, service code, case code. */
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly httpStatus: number;
  /** The field or header named by a 400xx01 or 400xx02: `amount.value`, `bulkObject[3].bankCode`, `X-TIMESTAMP`. */
  readonly field: string | undefined;
  /** The reason in brackets, such as `Signature`. */
  readonly reason: string | undefined;
  /** True: a later send of this external id, or number and content, got it; a new try needs a later `X-TIMESTAMP`. */
  readonly isOfAnotherSend: boolean;
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * Response to a repeat (409, 404xx18): the current status of the accepted call. It supersedes `originalResponse`.
   * Undefined when the id or number belongs to another call, or the provider does not send it.
   */
  readonly latestTransactionStatus: TransactionStatusCode | undefined;
  readonly #response: PartialResponseOf<Name>;
  readonly #originalResponse: PartialResponseOf<Name> | undefined;

  constructor(rejection: Rejection<Name>, context: ErrorContext<Name>) {
    super(describeRejection(rejection, context), context);
    this.caseName = rejection.caseName;
    this.responseCode = rejection.responseCode;
    this.responseMessage = rejection.responseMessage;
    this.httpStatus = rejection.httpStatus;
    this.field = rejection.field;
    this.reason = rejection.reason;
    this.isOfAnotherSend = rejection.isOfAnotherSend;
    this.retryAfterMs = rejection.retryAfterMs;
    this.latestTransactionStatus = rejection.latestTransactionStatus;
    this.#response = rejection.response;
    this.#originalResponse = rejection.originalResponse;
  }

  /** The fields of the response. */
  get response(): PartialResponseOf<Name> {
    return this.#response;
  }

  /** Response to a repeat: the response of the accepted call, whether or not it arrived. */
  get originalResponse(): PartialResponseOf<Name> | undefined {
    return this.#originalResponse;
  }
}

/** A write was sent and no readable response arrived: it may have taken effect. `cause` has the reason. */
export class OutcomeUnknownError<Name extends CallName = WriteName> extends CallError<Name> {
  override readonly name = "OutcomeUnknownError";
  readonly code = "ERR_OUTCOME_UNKNOWN";
  declare readonly cause: NoResponseError<Name> | ProtocolError<Name>;

  constructor(cause: NoResponseError<Name> | ProtocolError<Name>, context: ErrorContext<Name>) {
    super(`${cause.message}. Whether it took effect is unknown${howToRepeat}`, context, cause);
  }
}

/** Reasons why no token could be obtained. */
export type TokenError =
  | SnapError<"accessTokenB2b">
  | NotSentError<"accessTokenB2b">
  | NoResponseError<"accessTokenB2b">
  | ProtocolError<"accessTokenB2b">;

/** `token`: none could be obtained; `cause` has the error. The others: the call ended while it waited for one. */
export type NotSent =
  | { readonly reason: "token"; readonly cause: TokenError }
  | { readonly reason: "timeout" | "aborted"; readonly cause?: undefined };

/** Nothing of the call was sent. */
export class NotSentError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "NotSentError";
  readonly code = "ERR_NOT_SENT";
  readonly reason: NotSent["reason"];
  declare readonly cause: TokenError | undefined;

  constructor({ reason, cause }: NotSent, context: ErrorContext<Name>) {
    const why = reason === "token" ? `no access token: ${cause.message}` : endings[reason];
    const advice = context.isFinal ? "" : `. Whether an earlier send took effect is unknown${howToRepeat}`;
    super(`${context.operation} was not sent: ${why}${advice}`, context, cause);
    this.reason = reason;
  }
}

export type NoResponseReason = "network" | "timeout" | "aborted";

/** No response arrived. Thrown for reads and tokens; for writes it is the cause of an OutcomeUnknownError. */
export class NoResponseError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "NoResponseError";
  readonly code = "ERR_NO_RESPONSE";
  /** `aborted`: by the caller's signal. */
  readonly reason: NoResponseReason;

  /** `detail` is for `network` only. */
  constructor(reason: NoResponseReason, detail: string, context: ErrorContext<Name>) {
    super(`${context.operation} received no response: ${reason === "network" ? detail : endings[reason]}`, context);
    this.reason = reason;
  }
}

/** The response does not conform to the interface. Thrown, or a cause, like NoResponseError. */
export class ProtocolError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "ProtocolError";
  readonly code = "ERR_PROTOCOL";
  readonly httpStatus: number;

  constructor(httpStatus: number, detail: string, context: ErrorContext<Name>) {
    super(`${context.operation} received HTTP ${httpStatus} with ${detail}`, context);
    this.httpStatus = httpStatus;
  }
}

const endings = { timeout: "the time-out passed", aborted: "aborted by the caller's signal" } as const;

const howToRepeat = ": repeat it with client.repeat(error), which keeps X-EXTERNAL-ID and body, or ask for its status";

function describeRejection<Name extends CallName>(rejection: Rejection<Name>, context: ErrorContext<Name>): string {
  const id = context.externalId === undefined ? "" : `, X-EXTERNAL-ID ${context.externalId}`;
  const advice = context.isFinal ? "" : `. Whether it took effect is unknown${howToRepeat}`;
  return `${context.operation}: ${rejection.responseMessage} (${rejection.responseCode}${id})${advice}`;
}
