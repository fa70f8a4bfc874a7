/** The next step with an attempt, given what is known of it. Pure. */
import type { End, Known } from "./known.ts";

export type Next =
  | { readonly step: "end"; readonly end: End }
  | { readonly step: "wait"; readonly until: number }
  | { readonly step: "send"; readonly earliest: number }
  | { readonly step: "ask" };

/** Well within the provider's window, so that a later timestamp is not rejected for being ahead. */
const mostAheadMs = 240_000;

export function decideNext(known: Known, now: number): Next {
  const { end, since, pauseMs, next, openTo } = known;
  if (end !== undefined) return { step: "end", end };
  const due = since + pauseMs;
  if (since <= now && now < due) return { step: "wait", until: due };
  if (next === "ask") return { step: "ask" };
  // Later than every send that may arrive yet, so that its rejection decides them; unless their clock was far ahead.
  const later = openTo === undefined ? 0 : openTo + 1_000;
  return { step: "send", earliest: later > now + mostAheadMs ? 0 : later };
}
