/** Looks for the mistakes with which a signature verifies: one, then two. */
import type { Oracle } from "./oracle.ts";
import type { TextSet } from "./signed-texts.ts";
import type { Variation } from "./variation.ts";

export interface Found {
  /** None: the signature is right. */
  readonly by: readonly Variation[];
  readonly text: string;
  readonly texts: TextSet;
}

const mistakesMax = 2;
/** In digests of a short text: some 15 ms. Characters beyond a short text count too. */
const workMax = 17_000;
const bytesOfOne = 350;

/** Deterministic: fewer mistakes first, then in the order of the oracles and of their texts. */
export function search(oracles: readonly Oracle[]): Found | undefined {
  let work = workMax;
  for (let mistakes = 0; mistakes <= mistakesMax; mistakes += 1) {
    for (const { by, texts, verifies, cost } of oracles) {
      if (by.length > mistakes) continue;
      for (const { text, by: inText } of texts.withMistakes(mistakes - by.length, by.length)) {
        if (work <= 0) return undefined;
        work -= cost + Math.floor(text.length / bytesOfOne);
        if (verifies(text)) return { by: [...by, ...inText], text, texts };
      }
    }
  }
  return undefined;
}
