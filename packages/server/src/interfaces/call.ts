/**
 * A call to an operation and its reply: the only interface between `edge` and `operations`.
 * A call is authenticated and valid; a reply names a response case and the fields that have a value.
 */
import type { CaseName, OperationRow } from "@titian/contract";

/** A partner as the edge must know it to authenticate a call. Reference data: refreshed every 2 s. */
export interface PartnerCredentials {
  /** Internal id (UUID). */
  readonly key: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** `X-CLIENT-KEY` of service 73. */
  readonly clientKey: string;
  readonly status: "active" | "suspended" | "retired";
  /** Mode 1 (HMAC with token) or mode 2 (RSA without token); spec D4. */
  readonly signing: "symmetric" | "asymmetric";
  /** Client secrets valid now, newest first; at most two (rotation). */
  readonly secrets: readonly string[];
  /**
   * Number of its sealed secrets that do not open here: a signature with one of them cannot be judged. Absent: none.
   */
  readonly unreadableSecrets?: number;
  /** RSA public keys (SPKI PEM) valid now, newest first; at most two. */
  readonly publicKeys: readonly string[];
  /** Business time (epoch ms) at which one of these credentials expires; absent: they have no end. */
  readonly validUntil?: number;
  /** Service codes this partner may call. */
  readonly services: readonly string[];
  /** Allowed caller addresses (IP or CIDR); empty allows any. */
  readonly addresses: readonly string[];
  /** SHA-256 of client certificates, in hexadecimal digits, one of which its connections must have; absent: none is asked for. */
  readonly clientCertificates?: readonly string[];
  /** Oldest TLS that it may call over; absent: 1.3. */
  readonly tlsMin?: "1.2";
  /** Calls a second and burst of the token bucket; absent means no limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
  /** True: a pretty body signed in its minified form verifies (spec D4). */
  readonly acceptsMinifiedSignature: boolean;
  /** Longest `CHANNEL-ID`, in characters (spec D2: 5 unless agreed otherwise). */
  readonly channelIdLengthMax: number;
  /** Largest distance of `X-TIMESTAMP` from our time (ms), both ways; absent: the service's setting. */
  readonly timestampWindowMs?: number;
}

/** Seconds a customer token lives (service 74, spec D3); the end of its grant is remembered as long. */
export const customerTokenSeconds = 15 * 86_400;

/** One authenticated, valid request. */
export interface Call {
  readonly operation: OperationRow;
  readonly partner: PartnerCredentials;
  /** Account bound to a verified `Authorization-Customer` token, if one was sent. */
  readonly customerAccountNo?: string;
  readonly externalId: string;
  readonly signature: string;
  /** `X-TIMESTAMP` (epoch ms): sends of one external id are ordered by it (spec D7). */
  readonly sentAt: number;
  /** Real time (epoch ms) at which the request's `X-TIMESTAMP` leaves the window; a write still queued then is dropped. */
  readonly windowEndsAt: number;
  /** The request's fields as the contract types them: absent optionals left out, Money as `{ value, currency }` text. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Hex SHA-256 of the body without white space outside strings. */
  readonly bodyHash: string;
  /** Bytes of free-form members as received (`additionalInfo`, `items`, `bulkObject[0].additionalInfo`), by their path. */
  readonly freeForm: ReadonlyMap<string, Uint8Array>;
  readonly correlationId: string;
}

/** Reply of an operation. The edge adds the code, the message and the echo of the request. */
export interface Reply {
  readonly case: CaseName;
  /** Field named in the message of a 400-class case. */
  readonly field?: string;
  /** Text in brackets after the message. */
  readonly reason?: string;
  /** Part of a connection that is not allowed, for the logs alone; absent: its address. */
  readonly connection?: "certificate" | "tls_version";
  /**
   * Response fields that have a value, beyond the echo: texts, `{ value, currency }`, lists, free-form values.
   * A `Uint8Array` anywhere is JSON as it was received and goes out as it came.
   */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** True: the request's valid fields that the response lists are echoed (spec D8); default true. */
  readonly echo?: boolean;
  /** Seconds for `Retry-After`. */
  readonly retryAfter?: number;
  /** True for an inquiry: no call and no job can have changed since what it says (ADR 0054). */
  readonly isFinal?: boolean;
}

export type Handler = (call: Call) => Promise<Reply>;
