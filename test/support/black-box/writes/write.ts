/** Interface of the writes, for suites that check the same of each. A new operation adds a row to `all-writes.ts`. */
import type { Answer, Json } from "../caller.ts";

export type PartnerName = "alpha" | "beta";

/** Something that one call shall do once. */
export interface Intent {
  readonly body: Json;
  /** Number of times that it took effect so far. */
  effect(): Promise<number>;
  /** Asserts where money is after one effect, as long as nothing else uses the rail; absent: `effect` says it all. */
  expectPlaces?(): Promise<void>;
}

export interface Write {
  readonly service: string;
  readonly path: string;
  /** The field of the partner's number. */
  readonly number: string;
  /** The fields of a body that make it one of another amount, decimal text in IDR. */
  ofAmount(body: Json, value: string): Json;
  /** The amount of an intent, decimal text in IDR. */
  readonly value: string;
  /** Fields of every response, and those of a success alone. */
  readonly mandatory: readonly string[];
  readonly onSuccess: readonly string[];
  /** Sent on over a rail: it ends behind its response. */
  readonly isSentOn: boolean;
  /** Its status can be asked for by 36. */
  readonly isTransfer: boolean;
  /** `latestTransactionStatus` of a repeat so many days after it. */
  statusAfter(days: number): string;
  /** Fields that a body needs beside another number to be accepted once more; absent: none. */
  renewed?(body: Json): Json;
  newIntent(partner?: PartnerName): Promise<Intent>;
  /** Waits for what happens behind the response. */
  untilDone(answer: Answer, partner?: PartnerName): Promise<void>;
  /** Changes of a body that leave its content the same, and that make it another (spec D7), beside those of its amount. */
  readonly content: {
    same(body: Json): readonly Json[];
    other(body: Json): Promise<readonly Json[]>;
  };
}
