/** Switches that operators have closed. The functions of their acts write them (0042-switches.sql). */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";

export interface ClosedSwitch {
  /** Such as `rail:interbank`. */
  readonly name: string;
  /** The act that closed it. */
  readonly actId: string;
  readonly reason: string;
  /** Epoch ms, by the database's clock. */
  readonly closedAt: number;
}

export async function readClosedSwitches(pool: Pool): Promise<readonly ClosedSwitch[]> {
  const rows = await queryRows(pool, {
    name: "read-closed-switches",
    text: `select name, act_id, reason, ${epochMs("closed_at")} from switches order by name`,
  });
  return rows.map(([name, actId, reason, closedAt]) => ({
    name: name as string,
    actId: actId as string,
    reason: reason as string,
    closedAt: Number(closedAt),
  }));
}
