/** SNAP BI client: the public API of the package. */
export type { CallResponse, InProgress, Success } from "./calls/call-response.ts";
export type { Attempt, AttemptOf } from "./calls/attempt.ts";
export type { CallOptions, SendOptions } from "./calls/call-options.ts";
export type { Client, OperationMethods, OptionsOf, Repeatable } from "./client.ts";
export type { Clock } from "./clock.ts";
export { createClient } from "./create-client.ts";
export type { Credentials, PrivateKey } from "./tokens/credentials.ts";
export type { CustomerGrant, CustomerToken } from "./tokens/customer-token.ts";
export type { CallError } from "./errors/error-guards.ts";
export { isCallError, isOutcomeUnknown, isSnapError } from "./errors/error-guards.ts";
export type { NoResponseReason, TokenError } from "./errors/errors.ts";
export { NoResponseError, NotSentError, OutcomeUnknownError, ProtocolError, SnapError } from "./errors/errors.ts";
export type { ExchangeRecord, ObserveExchange } from "./calls/exchange-record.ts";
export type { Fetch, FetchRequest, FetchResponse } from "./calls/fetch.ts";
export type { CallName, TokenName, WriteName } from "./names.ts";
export type { ClientOptions } from "./options.ts";
export { allowInsecureHttp } from "./options.ts";
export type { PartialResponseOf } from "./calls/response-fields.ts";
