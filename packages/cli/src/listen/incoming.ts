/** Requests that reach the listener, and its replies. */
import type { IncomingHttpHeaders } from "node:http";

export interface Incoming {
  /** Real time (epoch ms). */
  readonly receivedAt: number;
  /** Path and query as sent and signed. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer<ArrayBuffer>;
  /** Aborted when the sender waits no longer. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Reason why there is no usable reply of the developer's program; the reply is the listener's own then. */
  readonly failure?: string;
}

/** Never rejects. */
export type Answer = (incoming: Incoming) => Promise<Reply>;

export interface Exchange {
  readonly incoming: Incoming;
  readonly reply: Reply;
  readonly durationMs: number;
  /** True: the sender was gone before it had the reply. */
  readonly isAbandoned: boolean;
}

/** A reply of our own, in plain text. */
export function plainReply(status: number, text: string): Reply {
  return { status, headers: ["Content-Type", "text/plain; charset=utf-8"], body: Buffer.from(`${text}\n`) };
}

/** A reply that makes the sender repeat the notification: the developer's program has given none. */
export function badGateway(failure: string): Reply {
  return { ...plainReply(502, `titian listen: ${failure}`), failure };
}
