/** Notifications to partners (spec D14): what `operations`, `admin` and `notify` know of each other. */

/** An event that a partner is notified of, once it is committed. */
export interface Notification {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Service code: 21, 75 or 76. */
  readonly service: number;
  /** Id of the transfer or bulk it is about. */
  readonly subject: string;
  /** `latestTransactionStatus` it reports. */
  readonly status: string;
  /** Version of its body: 1 as before `partnerId`, else 2. */
  readonly bodyVersion: number;
}

/**
 * The body of a notification, the same bytes each time, with the partner's id (of `X-PARTNER-ID`) in it. It is compact JSON
 * that a receiver may parse and write anew before it verifies the signature, as some do. @throws when its record is missing.
 */
export type WriteNotification = (notification: Notification, partnerId: string) => Promise<Uint8Array>;

export type SignedPath = "whole" | "service";

/** A partner's own conditions of connections to its system (ADR 0082). */
export interface NotificationLine {
  readonly partnerId: string;
  /** Private networks (`private:10.20.0.0/16`) that are permitted; absent: public addresses alone. */
  readonly networks?: readonly string[];
  /** Oldest TLS of connections; absent: 1.3. */
  readonly tlsMin?: "1.2";
}

/** The proxy through which all posts to partners go. */
export interface NotificationProxy {
  /** Its http or https URL, with a user and password if it asks for them. */
  readonly url: string;
  /** True: it resolves partners' names; false: it is asked for addresses that were resolved and judged here. */
  readonly resolvesNames: boolean;
}

/** Where and how a partner is notified: reference data. */
export interface NotificationEndpoint extends NotificationLine {
  /** Internal id of the partner. */
  readonly partner: string;
  readonly channelId: string;
  /** Base URL; absent: what there is for the partner is kept. */
  readonly address?: string | undefined;
  /** Mode 1 (token of the partner and HMAC) or mode 2 (our RSA key). */
  readonly signing: "symmetric" | "asymmetric";
  /** The whole path of the URL with its query, or the service's alone, as behind the partner's base. */
  readonly signedPath: SignedPath;
  /** The partner's current client secret. */
  readonly secret?: string | undefined;
  /** The current secret does not open here: nothing can be signed with it until it is registered again. */
  readonly isSecretUnreadable?: boolean;
}

/**
 * Finds the reason why no notification would be sent to a base URL, as a clause; undefined: nothing speaks against it.
 * `networks`: private ones that are permitted.
 */
export type CheckAddress = (address: string, networks?: readonly string[]) => Promise<string | undefined>;
