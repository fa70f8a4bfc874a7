const nameMax = 24;
const shownStart = 6;

/** The name that a caller gives itself, for the log: a long one that nobody has may be a secret sent in its place. */
export function shownClaim(claimed: string): string {
  if (claimed.length <= nameMax) return claimed;
  return `${claimed.slice(0, shownStart)}… (${claimed.length} characters)`;
}
