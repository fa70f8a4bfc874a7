/** The public interface of the client. */
import type { OperationDocs } from "@titian/contract";
import type { CallResponse } from "./exchange/call-response.ts";
import type { Attempt } from "./attempt.ts";
import type { CallOptions, SendOptions } from "./exchange/call-options.ts";
import type { CustomerGrant, CustomerToken } from "./tokens/customer-token.ts";
import type { CallName, TokenName, WriteName } from "./names.ts";
import type { RequestOf } from "./request-of.ts";
import type { AttemptStore } from "./settling/attempt-store.ts";
import type { ResumeOptions, SettleOptions } from "./settling/settle.ts";
import type { Settled } from "./settling/settled.ts";

/** 73 and 74 carry neither an external id nor a customer's token. */
export type OptionsOf<Name extends CallName> = Name extends TokenName
  ? Omit<SendOptions, "customerToken">
  : CallOptions;

export type Method<Name extends CallName> = (
  request: RequestOf<Name>,
  options?: OptionsOf<Name>,
) => Promise<CallResponse<Name>>;

/** Over names of `keyof Docs`, so that editors show the description of a method. */
type MethodsOf<Names extends keyof Docs, Docs = OperationDocs> = { readonly [Name in Names]: Method<Name & CallName> };

/** One method per operation of the contract's table. */
export type OperationMethods = MethodsOf<CallName>;

/** Anything that can be repeated: an attempt, or an error that carries one. */
export type Repeatable<Name extends WriteName> =
  | Attempt<Name>
  | { readonly attempt: Attempt<Name>; readonly isFinal: boolean };

/**
 * Calls resolve to the response of a success (200, or 202 for a write) and reject with a `CallError`
 * otherwise; invalid arguments reject with a TypeError before anything is sent.
 */
export interface Client extends OperationMethods {
  /** The method of that name, for code that is generic over operations. */
  call<Name extends CallName>(
    operation: Name,
    request: RequestOf<NoInfer<Name>>,
    options?: OptionsOf<NoInfer<Name>>,
  ): Promise<CallResponse<Name>>;

  /** Serializes a request with an external id. Sends nothing: store the attempt, then `send` it. */
  prepare<Name extends WriteName>(
    operation: Name,
    request: RequestOf<NoInfer<Name>>,
    options?: { readonly externalId?: string | undefined },
  ): Attempt<Name>;

  /** Sends an attempt for the first time. */
  send<Name extends WriteName>(attempt: Attempt<Name>, options?: SendOptions): Promise<CallResponse<Name>>;

  /**
   * Sends an attempt again: same `X-EXTERNAL-ID`, same body bytes, new `X-TIMESTAMP` and signature. If the first send
   * was accepted it rejects with a SnapError `conflict`, whose `latestTransactionStatus` and `originalResponse` give
   * the outcome; the write takes effect at most once.
   */
  repeat<Name extends WriteName>(attempt: Repeatable<Name>, options?: SendOptions): Promise<CallResponse<Name>>;

  /**
   * Takes an attempt to its end, exactly once: sends it and, until it is decided, repeats it or asks for it, with growing
   * pauses, always under its external id. `done`: it has happened. `rejected`: it has not, and cannot. `unknown`: nobody can
   * tell before `until`; settle it again. With a `store` it is kept from before its first send, and a second attempt under
   * its number is refused. Rejects with a TypeError, a `SecondAttemptError`, or the error of the store.
   *
   * @example
   * const attempt = client.prepare("intrabankTransfer", request, { externalId: order.id });
   * const result = await client.settle(attempt, { store, until: new Date(Date.now() + 30_000) });
   */
  settle<Name extends WriteName>(attempt: Attempt<Name>, options: SettleOptions): Promise<Settled<Name>>;

  /** Settles every attempt that the store has open, as after a crash. Results in the order of `store.listOpen()`. */
  resume(store: AttemptStore, options: ResumeOptions): Promise<readonly Settled[]>;

  /**
   * Exchanges a customer's code, or a refresh token, for a token of the customer's account (service 74). Each
   * is single-use: store the new token first. Using a refresh token twice revokes its successors: refresh in one place.
   */
  getCustomerToken(grant: CustomerGrant, options?: OptionsOf<"accessTokenB2b2c">): Promise<CustomerToken>;
}
