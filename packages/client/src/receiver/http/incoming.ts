/** A request as the adapters hand it over, whatever it came through. */
import type { HeaderSource } from "@titian/contract";
import type { Reply } from "./reply.ts";

/**
 * `tooLarge`: over the limit. `tooSlow`: not complete within the time limit. `aborted`: the connection broke.
 * `alreadyRead`: something before the endpoint has read the body, and the bytes as sent are gone.
 */
export type BodyFault = "tooLarge" | "tooSlow" | "aborted" | "alreadyRead";
export type BodyOutcome = Uint8Array | BodyFault;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A request as either adapter hands it over. */
export interface Incoming {
  readonly method: string;
  /** Path and query as received: `/v1.0/transfer-rtgs/notify`. */
  readonly target: string;
  readonly headers: HeaderSource;
  /** The bytes as sent; never more than the limit is kept. Called at most once. */
  readBody(limits: BodyLimits): Promise<BodyOutcome>;
}

/** Never rejects. */
export type HandleIncoming = (incoming: Incoming) => Promise<Reply>;
