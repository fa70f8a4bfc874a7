/** The client as its user sees it. */
import type { OperationDocs, RequestOf } from "@titian/contract";
import type { Answer } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import type { CallOptions, SendOptions } from "./call-options.ts";
import type { CustomerGrant, CustomerToken } from "./customer-token.ts";
import type { CallName, TokenName, WriteName } from "./names.ts";

/** 73 and 74 carry neither an external id nor a customer's token. */
export type OptionsOf<Name extends CallName> = Name extends TokenName
  ? Omit<SendOptions, "customerToken">
  : CallOptions;

export type Method<Name extends CallName> = (
  request: RequestOf<Name>,
  options?: OptionsOf<Name>,
) => Promise<Answer<Name>>;

/** Over names of `keyof Docs`: that is how TypeScript finds what an editor shows of a method. */
type MethodsOf<Names extends keyof Docs, Docs = OperationDocs> = { readonly [Name in Names]: Method<Name & CallName> };

/** One method per operation of the contract's table. */
export type OperationMethods = MethodsOf<CallName>;

/** What can be repeated: an attempt, or an error that carries one. */
export type Repeatable<Name extends WriteName> =
  | Attempt<Name>
  | { readonly attempt: Attempt<Name>; readonly isDecided: boolean };

/**
 * Calls resolve to an answer when the provider said yes (200, or 202 for a write) and reject with a `CallError`
 * otherwise; with a TypeError, before anything is sent, when they were called wrongly.
 */
export interface Client extends OperationMethods {
  /** The method of that name, for code that is generic in the operation. */
  call<Name extends CallName>(
    operation: Name,
    request: RequestOf<NoInfer<Name>>,
    options?: OptionsOf<NoInfer<Name>>,
  ): Promise<Answer<Name>>;

  /** Writes a request down as it will be sent, with an external id. Sends nothing: store it, then `send` it. */
  prepare<Name extends WriteName>(
    operation: Name,
    request: RequestOf<NoInfer<Name>>,
    options?: { readonly externalId?: string | undefined },
  ): Attempt<Name>;

  /** Sends an attempt for the first time. */
  send<Name extends WriteName>(attempt: Attempt<Name>, options?: SendOptions): Promise<Answer<Name>>;

  /**
   * Sends an attempt again: same `X-EXTERNAL-ID`, same body bytes, new `X-TIMESTAMP` and signature. If the first send
   * was accepted it rejects with a SnapError `conflict`, whose `latestTransactionStatus` and `originalResponse` tell
   * the outcome; the effect happens at most once.
   */
  repeat<Name extends WriteName>(attempt: Repeatable<Name>, options?: SendOptions): Promise<Answer<Name>>;

  /**
   * Exchanges a customer's code, or a refresh token, for a token of the customer's account (service 74). Both are
   * spent by it: store what comes back first. A refresh token used twice ends its successors, so refresh in one place.
   */
  getCustomerToken(grant: CustomerGrant, options?: OptionsOf<"accessTokenB2b2c">): Promise<CustomerToken>;
}
