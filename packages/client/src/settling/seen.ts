/** Things that a send or an inquiry can show of an attempt. Plain data, made of a response by `see-send.ts` and `see-inquiry.ts`. */
import type { TransactionStatusCode } from "@titian/contract";

/** The provider's words for a rejection. */
export interface Reason {
  readonly responseCode: string;
  readonly reason: string;
}

export type ResponseValues = Readonly<Record<string, unknown>>;

/** The provider has the attempt. */
export type SeenAccepted =
  /** It has happened. */
  | { readonly seen: "done"; readonly status?: TransactionStatusCode; readonly response: ResponseValues }
  /** It has yet to happen. */
  | { readonly seen: "accepted"; readonly status?: TransactionStatusCode; readonly response: ResponseValues }
  /** It came to nothing, whatever is sent. */
  | ({ readonly seen: "failed"; readonly status: TransactionStatusCode } & Reason);

export type SeenSend =
  | SeenAccepted
  /** Rejected behind the look at earlier sends: so are all that were signed before it, when they arrive (spec D7). */
  | ({ readonly seen: "rejected" } & Reason)
  /** This send did not get in; of others it says nothing. `passes`: the next one may get in. */
  | ({ readonly seen: "keptOut"; readonly passes: boolean; readonly retryAfterMs?: number | undefined } & Reason)
  /** Its id or number is in use, and what became of that is not told. */
  | ({ readonly seen: "taken" } & Reason)
  /** It may have been accepted, or may be yet. `isAnswered`: there is a response, which no table has. */
  | { readonly seen: "unknown"; readonly isAnswered: boolean; readonly retryAfterMs?: number | undefined }
  /** Nothing of it left this machine. */
  | { readonly seen: "notSent"; readonly retryAfterMs?: number | undefined };

export type SeenInquiry =
  | SeenAccepted
  /** Nothing was accepted, up to a time of the provider's clock (ms), where it told one. */
  | ({ readonly seen: "notFound"; readonly upTo: number | undefined } & Reason)
  /** It says nothing of this attempt. */
  | { readonly seen: "nothing"; readonly retryAfterMs?: number | undefined };
