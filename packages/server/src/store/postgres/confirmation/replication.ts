/** Synchronous replication: whether commits wait for a standby, and how many standbys there are. */
import type { Pool } from "pg";
import { queryRows } from "../query-rows.ts";
import { serverName } from "../server-name.ts";
import type { Session, TextRow } from "../session.ts";

export interface Replication {
  /** Name of the server (`server-name.ts`). */
  readonly server: string;
  /** True: a commit waits for a synchronous standby (`synchronous_standby_names`). */
  readonly isSynchronous: boolean;
  /** Standbys that are connected, synchronous or not. */
  readonly standbys: number;
}

const replication = {
  name: "read-replication",
  text: `select current_setting('synchronous_standby_names') <> '', (select count(*) from pg_stat_replication),
    pg_is_in_recovery(), ${serverName}`,
};

/** @throws when the server is a standby itself. */
export async function readReplication(database: Session | Pool): Promise<Replication> {
  return toReplication("run" in database ? await database.run(replication) : await queryRows(database, replication));
}

function toReplication([row = []]: readonly TextRow[]): Replication {
  const [isSynchronous, standbys, isStandby, server] = row;
  if (isStandby === "t") throw new Error("the server is a standby: connect to the primary");
  return { server: server ?? "", isSynchronous: isSynchronous === "t", standbys: Number(standbys) };
}
