/** One way in which a caller may have signed otherwise than it should have. */
import type { Cause } from "../report.ts";
import type { SentenceId } from "../sentences/sentences.ts";
import type { Parameters, Saying } from "../state.ts";

export interface Variation extends Saying {
  readonly cause: Cause;
}

export function variation(cause: Cause, id: SentenceId, parameters?: Parameters): Variation {
  return { cause, id, ...(parameters && { parameters }) };
}

/** A value that a part of the signed text may have had. */
export interface Option<Value = string | undefined> {
  readonly value: Value;
  /** Differences from the right one: the first option of a list is that, with none. */
  readonly by: readonly Variation[];
  /** Tried alone, not with another mistake: there are too many of its kind, or it is long. */
  readonly isAlone?: boolean;
}

/** Options without those whose value an earlier one has. */
export function distinct<Value>(options: readonly Option<Value>[]): readonly Option<Value>[] {
  const seen = new Set<Value>();
  return options.filter(({ value }) => !seen.has(value) && seen.add(value));
}
