/** Commits that must not go without a synchronous standby (`TITIAN_SYNCHRONOUS=required`), also when an operator clears its name. */
import type { Pool } from "pg";
import type { TextRow } from "./round-trips/round-trip.ts";

/** Behind a commit: the session has by then what the commit went by. */
export const standbyRequired = {
  name: "read-synchronous-standby",
  text: "select current_setting('synchronous_standby_names') <> ''",
};

/** True when a commit before this response waited for a synchronous standby. */
export function isRequired([row]: readonly TextRow[]): boolean {
  return row?.[0] === "t";
}

const pools = new WeakSet<Pool>();

/** Nothing leaves behind a claim on one of its connections that waited for no standby. */
export function requireStandby(pool: Pool): void {
  pools.add(pool);
}

export function requiresStandby(pool: Pool): boolean {
  return pools.has(pool);
}
