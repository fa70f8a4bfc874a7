/** Looks for the mistakes with which a signature verifies: one, then two. */
import type { Oracle } from "./oracle.ts";
import type { SignedText, TextSet } from "./signed-texts.ts";
import type { Variation } from "./variation.ts";

export interface Found {
  /** None: the signature is right. */
  readonly by: readonly Variation[];
  readonly text: string;
  readonly texts: TextSet;
}

const mistakesMax = 2;
/** In digests of a short text: some 17 ms. Characters beyond a short text count too. */
const workMax = 19_000;
const bytesOfOne = 350;

/** Beside it, in texts of rare kinds: some 6 ms. */
const rareWorkMax = 6_500;

/** Deterministic: fewer mistakes first, then in the order of the oracles and of their texts; rare ones last. */
export function search(oracles: readonly Oracle[]): Found | undefined {
  return (
    firstThatVerifies(usual(oracles), workMax) ??
    firstThatVerifies(
      oracles.filter(({ by }) => by.length === 0).map((oracle) => ({ oracle, signed: oracle.texts.rare() })),
      rareWorkMax,
    )
  );
}

interface Trial {
  readonly oracle: Oracle;
  readonly signed: Iterable<SignedText>;
}

function* usual(oracles: readonly Oracle[]): Iterable<Trial> {
  for (let mistakes = 0; mistakes <= mistakesMax; mistakes += 1) {
    for (const oracle of oracles) {
      const { length } = oracle.by;
      if (length <= mistakes) yield { oracle, signed: oracle.texts.withMistakes(mistakes - length, length) };
    }
  }
}

function firstThatVerifies(trials: Iterable<Trial>, workMost: number): Found | undefined {
  let work = workMost;
  for (const { oracle, signed } of trials) {
    const { by, texts, verifies, cost } = oracle;
    for (const { text, by: inText } of signed) {
      if (work <= 0) return undefined;
      work -= cost + Math.floor(text.length / bytesOfOne);
      if (verifies(text)) return { by: [...by, ...inText], text, texts };
    }
  }
  return undefined;
}
