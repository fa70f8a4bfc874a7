/** Names that callers claim for themselves and their calls, in the log. */
import type { Log } from "../../observability/log.ts";

export interface CallLog extends Log {
  /** A text of a caller without the secrets in it. */
  hide(text: string): string;
}

const nameMax = 24;
const shownStart = 6;

/** The name that a caller gives itself: a long one that nobody has may be a secret sent in its place. */
export function shownClaim(name: string, log: Pick<CallLog, "hide">): string {
  const claimed = log.hide(name);
  if (claimed.length <= nameMax) return claimed;
  return `${claimed.slice(0, shownStart)}… (${claimed.length} characters)`;
}
