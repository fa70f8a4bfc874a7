/** Evidence of a rejected call, and the report about it. Plain data: both travel between threads and as JSON. */
import type { CaseName, OperationName, ServedPaths } from "@titian/contract";

/** A call as it was received, and how it was refused. */
export interface CallEvidence {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** Undefined: not read. */
  readonly body: Uint8Array | undefined;
  /** True: the body was too long to keep, so that `body` is undefined, and its hash is not known. */
  readonly isBodyCut?: boolean;
  /** Real time and our business time when the call arrived (epoch ms); undefined of a saved request that does not say. */
  readonly at: number | undefined;
  readonly businessTime: number | undefined;
  /** Undefined: an unknown path. */
  readonly operation: OperationName | undefined;
  /** The step of the checks (1 to 12) that refused it; undefined: it passed them. */
  readonly rejectedAt: number | undefined;
  readonly rejection: Rejection | undefined;
  readonly responseCode: string;
  /** Those of its tokens that the service's keys signed, expired or not; undefined: not known. */
  readonly tokensIssuedHere?: readonly string[] | undefined;
  readonly paths: ServedPaths;
}

export interface Rejection {
  readonly case: CaseName;
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
}

/** A partner and what its signatures are made with. Held for one explanation; never in what is returned. */
export interface PartnerSecrets {
  /** Internal id: the subject of its tokens. */
  readonly key: string;
  readonly partnerId: string;
  readonly clientKey: string;
  readonly status: "active" | "suspended" | "retired";
  readonly signing: "symmetric" | "asymmetric";
  /** Client secrets valid now. */
  readonly secrets: readonly string[];
  /** RSA public keys (SPKI PEM) valid now. */
  readonly publicKeys: readonly string[];
  /** Agreed `CHANNEL-ID`. */
  readonly channelId: string;
  readonly channelIdLengthMax: number;
  readonly acceptsMinifiedSignature: boolean;
  readonly timestampWindowMs: number;
}

export const causes = [
  "path",
  "token",
  "bodyHash",
  "timestamp",
  "method",
  "secret",
  "algorithm",
  "mode",
  "encoding",
  "header",
  "field",
  "json",
  "unknown",
] as const;

export type Cause = (typeof causes)[number];

/** A sentence in every language, with the values in it apart. */
export interface Statement {
  /** In English. */
  readonly sentence: string;
  /** Stable; two joined by `+` for two mistakes. */
  readonly sentenceId: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The same in other languages, by ISO 639 code. */
  readonly translations: { readonly id: string };
}

export interface Diagnosis extends Statement {
  /** A `Cause`, or two joined by `+`, alphabetical. `unknown` where no single variation and no pair verifies. */
  readonly cause: string;
  /** The header, field, or part of the signature it is about. */
  readonly part: string;
}

/** A probable mistake in a call that is not refused for it. */
export interface Warning extends Statement {
  readonly part: string;
}

export interface RefusalReport {
  /** 1 to 12; undefined when the call passes all checks. */
  readonly step: number | undefined;
  /** Our clock, ISO 8601 with +07:00. */
  readonly ourClock?: string;
  /** `X-TIMESTAMP` minus our clock (ms): positive when the caller's clock is ahead. */
  readonly clockDifferenceMs?: number;
  /** The text that we verify the signature of, its token masked. */
  readonly stringToSign?: string;
  /** SHA-256 of the body received, and of it without white space outside strings. */
  readonly bodyHash?: string;
  readonly minifiedBodyHash?: string;
  readonly diagnosis: Diagnosis;
  readonly differsAt?: Difference;
}

/** Where the text that the caller signed departs from ours. */
export interface Difference {
  /** Position of the first different character, counted from 0 in the text before masking. */
  readonly index: number;
  /** Some characters around it, secrets and tokens masked. */
  readonly ours: string;
  readonly theirs: string;
}
