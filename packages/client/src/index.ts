/** SNAP BI client: the public API of the package. */
export type { CallResponse, InProgress, Success } from "./call-response.ts";
export type { Attempt, AttemptOf } from "./attempt.ts";
export type { CallOptions, SendOptions } from "./call-options.ts";
export type { Client, OperationMethods, OptionsOf, Repeatable } from "./client.ts";
export type { Clock } from "./clock.ts";
export { createClient } from "./create-client.ts";
export type { Credentials, PrivateKey } from "./credentials.ts";
export type { CustomerGrant, CustomerToken } from "./customer-token.ts";
export type { CallError } from "./error-guards.ts";
export { isCallError, isOutcomeUnknown, isSnapError } from "./error-guards.ts";
export type { NoResponseReason, TokenError } from "./errors.ts";
export { NoResponseError, NotSentError, OutcomeUnknownError, ProtocolError, SnapError } from "./errors.ts";
export type { ExchangeRecord, ObserveExchange } from "./exchange-record.ts";
export type { Fetch, FetchRequest, FetchResponse } from "./fetch.ts";
export type { CallName, TokenName, WriteName } from "./names.ts";
export type { ClientOptions } from "./options.ts";
export { allowInsecureHttp } from "./options.ts";
export type { PartialResponseOf } from "./response-fields.ts";
