/** Tables that another session has locked as a whole, so that nobody writes them. */
import type { Session } from "./session.ts";

export interface TableLock {
  readonly table: string;
  /** Of the session that has it. */
  readonly processId: number;
  readonly user: string;
  /** When its transaction began (ISO 8601); undefined where the service's role may not see that. */
  readonly since: string | undefined;
}

const tableLocks = {
  name: "find-table-locks",
  text: `select c.relname, l.pid, a.usename, to_json(a.xact_start) #>> '{}'
    from pg_locks l join pg_class c on c.oid = l.relation left join pg_stat_activity a on a.pid = l.pid
    where l.granted and l.locktype = 'relation' and l.pid <> pg_backend_pid() and c.relkind in ('r', 'p')
      and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and c.relnamespace = current_schema::regnamespace
    order by a.xact_start, c.relispartition, c.relname limit 1`,
};

/** The oldest of them. */
export async function findTableLock(session: Session): Promise<TableLock | undefined> {
  const [row] = await session.run(tableLocks);
  if (!row) return undefined;
  const [table, pid, user, since] = row;
  return { table: table ?? "", processId: Number(pid), user: user ?? "", since: since ?? undefined };
}
