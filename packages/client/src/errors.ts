/**
 * Everything a call can throw, apart from a TypeError for a caller's mistake. Each error has a stable `code` and says
 * whether the call is decided. Bodies stand behind getters: they reach no log line and no inspection by accident.
 */
import type { CaseName, TransactionStatusCode } from "@titian/contract";
import type { AttemptOf } from "./attempt.ts";
import type { CallName, WriteName } from "./names.ts";
import type { PartialResponseOf } from "./response-fields.ts";

/** Which call an error is about. */
export interface ErrorContext<Name extends CallName> {
  readonly operation: Name;
  readonly externalId?: string | undefined;
  readonly attempt: AttemptOf<Name>;
  readonly isDecided: boolean;
}

abstract class CallError<Name extends CallName> extends Error {
  abstract readonly code: string;
  readonly operation: Name;
  /** `X-EXTERNAL-ID` of the call; 73 and 74 have none. */
  readonly externalId: string | undefined;
  /**
   * Whether it is settled what became of the call, all its sends included, also those that arrive later (decision D7).
   * When false, the write may have taken effect: repeat it with its external id, or ask for its status. Always true for
   * reads, which change nothing.
   */
  readonly isDecided: boolean;
  readonly #attempt: AttemptOf<Name>;

  constructor(message: string, context: ErrorContext<Name>, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = context.operation;
    this.externalId = context.externalId;
    this.isDecided = context.isDecided;
    this.#attempt = context.attempt;
  }

  /** External id and body of the write. */
  get attempt(): AttemptOf<Name> {
    return this.#attempt;
  }
}

/** A provider's "no", taken apart. */
export interface Refusal<Name extends CallName> {
  readonly httpStatus: number;
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly serviceCode: string;
  readonly caseName: CaseName | undefined;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly response: PartialResponseOf<Name>;
  readonly originalResponse: PartialResponseOf<Name> | undefined;
  readonly latestTransactionStatus: TransactionStatusCode | undefined;
}

/** The provider answered, and the answer is not a success. Nothing is wrong with the connection. */
export class SnapError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "SnapError";
  readonly code = "ERR_SNAP_ANSWER";
  /** The response case, such as `insufficientFunds`; undefined when the provider's code is in no table. */
  readonly caseName: CaseName | undefined;
  /** 7 digits: HTTP status, service code, case code. */
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly httpStatus: number;
  /** The field or header a 400xx01 or 400xx02 names: `amount.value`, `bulkObject[3].bankCode`, `X-TIMESTAMP`. */
  readonly field: string | undefined;
  /** The reason in brackets, such as `Signature`. */
  readonly reason: string | undefined;
  /** Of `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * Answer to a repeat (409, 404xx18): the status by now of what was accepted before. It outranks `originalResponse`.
   * Undefined when the key belongs to something else, or the provider does not say.
   */
  readonly latestTransactionStatus: TransactionStatusCode | undefined;
  readonly #response: PartialResponseOf<Name>;
  readonly #originalResponse: PartialResponseOf<Name> | undefined;

  constructor(refusal: Refusal<Name>, context: ErrorContext<Name>) {
    super(describeRefusal(refusal, context), context);
    this.caseName = refusal.caseName;
    this.responseCode = refusal.responseCode;
    this.responseMessage = refusal.responseMessage;
    this.httpStatus = refusal.httpStatus;
    this.field = refusal.field;
    this.reason = refusal.reason;
    this.retryAfterMs = refusal.retryAfterMs;
    this.latestTransactionStatus = refusal.latestTransactionStatus;
    this.#response = refusal.response;
    this.#originalResponse = refusal.originalResponse;
  }

  /** The fields of the answer. */
  get response(): PartialResponseOf<Name> {
    return this.#response;
  }

  /** Answer to a repeat: what the call that was accepted got, or would have got. */
  get originalResponse(): PartialResponseOf<Name> | undefined {
    return this.#originalResponse;
  }
}

/** A write was sent and no readable answer came back: it may have taken effect. `cause` says why. */
export class OutcomeUnknownError<Name extends CallName = WriteName> extends CallError<Name> {
  override readonly name = "OutcomeUnknownError";
  readonly code = "ERR_OUTCOME_UNKNOWN";
  declare readonly cause: NoAnswerError<Name> | ProtocolError<Name>;

  constructor(cause: NoAnswerError<Name> | ProtocolError<Name>, context: ErrorContext<Name>) {
    super(`${cause.message}. Whether it took effect is unknown${howToRepeat}`, context, cause);
  }
}

/** Why a token could not be obtained. */
export type TokenFault =
  | SnapError<"accessTokenB2b">
  | NotSentError<"accessTokenB2b">
  | NoAnswerError<"accessTokenB2b">
  | ProtocolError<"accessTokenB2b">;

/** `token`: none could be obtained; the fault is the cause. The others: the call ended while it waited for one. */
export type NotSent =
  | { readonly reason: "token"; readonly cause: TokenFault }
  | { readonly reason: "timeout" | "aborted"; readonly cause?: undefined };

/** Nothing of the call was sent. */
export class NotSentError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "NotSentError";
  readonly code = "ERR_NOT_SENT";
  readonly reason: NotSent["reason"];
  declare readonly cause: TokenFault | undefined;

  constructor({ reason, cause }: NotSent, context: ErrorContext<Name>) {
    const why = reason === "token" ? `there is no token for it: ${cause.message}` : endings[reason];
    const advice = context.isDecided ? "" : `. Whether an earlier send took effect is open${howToRepeat}`;
    super(`${context.operation} was not sent: ${why}${advice}`, context, cause);
    this.reason = reason;
  }
}

export type NoAnswerReason = "network" | "timeout" | "aborted";

/** No answer arrived. Thrown for reads and tokens; for writes it is the cause of an OutcomeUnknownError. */
export class NoAnswerError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "NoAnswerError";
  readonly code = "ERR_NO_ANSWER";
  /** `aborted`: by the caller's signal. */
  readonly reason: NoAnswerReason;

  /** `detail` is for `network` only. */
  constructor(reason: NoAnswerReason, detail: string, context: ErrorContext<Name>) {
    super(`${context.operation} got no answer: ${reason === "network" ? detail : endings[reason]}`, context);
    this.reason = reason;
  }
}

/** What arrived is no answer of this interface. Thrown and caused as NoAnswerError. */
export class ProtocolError<Name extends CallName = CallName> extends CallError<Name> {
  override readonly name = "ProtocolError";
  readonly code = "ERR_PROTOCOL";
  readonly httpStatus: number;

  constructor(httpStatus: number, detail: string, context: ErrorContext<Name>) {
    super(`${context.operation} got HTTP ${httpStatus} with ${detail}`, context);
    this.httpStatus = httpStatus;
  }
}

const endings = { timeout: "the time-out passed", aborted: "the caller's signal ended it" } as const;

const howToRepeat = ": repeat it with client.repeat(error), which keeps X-EXTERNAL-ID and body, or ask for its status";

function describeRefusal<Name extends CallName>(refusal: Refusal<Name>, context: ErrorContext<Name>): string {
  const id = context.externalId === undefined ? "" : `, X-EXTERNAL-ID ${context.externalId}`;
  const advice = context.isDecided ? "" : `. Whether it took effect is open${howToRepeat}`;
  return `${context.operation}: ${refusal.responseMessage} (${refusal.responseCode}${id})${advice}`;
}
