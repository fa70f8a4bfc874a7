/** Where attempts are kept from before their first send until after their end, so that a crash ends none. */
import type { OperationRow } from "@titian/contract";
import type { Attempt } from "../attempt.ts";
import { readBody } from "./inquiry.ts";
import type { Known } from "./known.ts";

/** Plain JSON. */
export interface StoredAttempt {
  /** Operation and partner's number, of a hold's change with its hold: there is one attempt of each. */
  readonly key: string;
  /** 1, 2, 3 …: every change is one more. */
  readonly version: number;
  readonly attempt: Attempt;
  /** False: its end is known. */
  readonly isOpen: boolean;
  /** The client's own: kept as it is. */
  readonly known: Known;
}

/**
 * For one partner at one provider. It must outlive a crash: what `put` has returned true for is kept.
 * examples/attempts/postgres-store.ts is one. Keep attempts for as long as they may be settled once more.
 */
export interface AttemptStore {
  get(key: string): Promise<StoredAttempt | undefined>;
  /**
   * In one step: version 1 only where the key has nothing yet, a later version only over the one before it. False: it was
   * not stored, since another runner was faster.
   */
  put(stored: StoredAttempt): Promise<boolean>;
  listOpen(): Promise<readonly StoredAttempt[]>;
}

/** For tests: it forgets everything when the process ends. */
export function createMemoryAttempts(): AttemptStore {
  const texts = new Map<string, string>();
  const read = (text: string) => JSON.parse(text) as StoredAttempt;
  return {
    async get(key) {
      const text = texts.get(key);
      return text === undefined ? undefined : read(text);
    },
    async put(stored) {
      const text = texts.get(stored.key);
      const before = text === undefined ? 0 : read(text).version;
      if (stored.version !== before + 1) return false;
      texts.set(stored.key, JSON.stringify(stored));
      return true;
    },
    async listOpen() {
      return [...texts.values()].map(read).filter(({ isOpen }) => isOpen);
    },
  };
}

/** Throws a TypeError where the attempt has no number of the partner: only a bulk may be without one. */
export function keyOf({ about: { partnerNumber = "", within } }: OperationRow, attempt: Attempt): string {
  const body = readBody(attempt);
  const names = within === undefined ? [partnerNumber] : [within, partnerNumber];
  const numbers = names.map((name) => {
    const number = body[name];
    if (typeof number === "string" && number.trim() !== "") return number;
    throw new TypeError(`an attempt is settled by its number: ${attempt.operation} needs ${name}`);
  });
  return JSON.stringify([attempt.operation, ...numbers]);
}
