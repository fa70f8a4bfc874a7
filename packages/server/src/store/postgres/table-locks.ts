/** Tables of the engine's commits that another session has locked as a whole, so that nobody writes them. */
import type { Session } from "./session.ts";
import { plainArray } from "./sql-arrays.ts";

export interface TableLock {
  readonly table: string;
  /** Process of the session that has it. */
  readonly processId: number;
  readonly user: string;
  /** When its transaction began (ISO 8601); undefined where the service's role may not see that. */
  readonly since: string | undefined;
}

/** Others are locked without harm to commands, as `migrations` is by each run of the migrator. */
const written = [
  "accounts",
  "entries",
  "request_keys",
  "accepted_requests",
  "rejected_requests",
  "transfers",
  "payment_requests",
  "bulks",
  "outbox",
  "holds",
  "hold_events",
  "closed_holds",
];

const tableLocks = {
  name: "find-table-locks",
  text: `select c.relname, l.pid, a.usename, to_json(a.xact_start) #>> '{}'
    from pg_locks l join pg_class c on c.oid = l.relation left join pg_stat_activity a on a.pid = l.pid
    where l.granted and l.locktype = 'relation' and l.pid <> pg_backend_pid() and c.relkind in ('r', 'p')
      and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and c.relnamespace = current_schema::regnamespace
      and coalesce(pg_partition_root(c.oid), c.oid) in (select to_regclass(name)::oid from unnest($1::text[]) name)
    order by a.xact_start, c.relispartition, c.relname limit 1`,
};

/** The oldest of them. */
export async function findTableLock(session: Session): Promise<TableLock | undefined> {
  const [row] = await session.run(tableLocks, [plainArray(written)]);
  if (!row) return undefined;
  const [table, pid, user, since] = row;
  return { table: table ?? "", processId: Number(pid), user: user ?? "", since: since ?? undefined };
}
