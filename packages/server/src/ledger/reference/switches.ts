/** Rails and services that operators have closed, as decisions see them (spec D6, D17). */
import type { RailName } from "../rails/terms.ts";
import { type Rejected, reject } from "../rejection.ts";

/** Names of closed switches: `intake` (all that takes writes), `rail:interbank`, `service:63`. */
export type Closed = ReadonlySet<string>;

export function isRailClosed(closed: Closed, rail: RailName): boolean {
  return closed.has(`rail:${rail}`);
}

/** The rejection of a new request, where its service or rail is closed. */
export function rejectClosed(closed: Closed, code: string, rail: RailName | undefined): Rejected | undefined {
  if (closed.size === 0) return undefined;
  if (closed.has(`service:${code}`)) return reject("serviceClosed");
  return rail !== undefined && isRailClosed(closed, rail) ? reject("railClosedByOperator") : undefined;
}
