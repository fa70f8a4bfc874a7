/** What is asked of a figure, and whether it was met. */

export type Asked = { readonly least: number } | { readonly most: number };

/** For instance `at least 2 met`. */
export function judge(figure: number, asked: Asked): string {
  const [bound, isMet] =
    "least" in asked
      ? [`at least ${asked.least}`, figure >= asked.least]
      : [`at most ${asked.most}`, figure <= asked.most];
  return `${bound} ${isMet ? "met" : "MISSED"}`;
}
