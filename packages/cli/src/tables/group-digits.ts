/** Amounts for people: `250,000.00`. Never for `--json`, files, or what is given back to a command. */

/** The text with the digits of each amount in groups of three; decimals stay as they are. */
export function groupDigits(text: string): string {
  return text.replaceAll(/(?<![^\s-])\d+(?=(?:\.\d+)?(?:[\s,]|$))/g, (whole) =>
    whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","),
  );
}
