/** Estimate of the rows before the audit, by PostgreSQL's statistics: for a progress bar, never for money. */
import { connectPlain } from "../postgres/connect.ts";

export interface RowEstimates {
  readonly accounts: number;
  readonly entries: number;
  readonly holds: number;
}

export async function estimateRows(url: string): Promise<RowEstimates> {
  const client = await connectPlain({
    connectionString: url,
    application_name: "titian audit",
    statement_timeout: 2_000,
  });
  try {
    const { rows } = await client.query<{ name: string; live: string }>(
      `select name, sum(n_live_tup) as live from unnest(array['accounts', 'entries', 'holds', 'closed_holds']) name
        cross join lateral pg_partition_tree(name::regclass) part join pg_stat_user_tables s on s.relid = part.relid group by name`,
    );
    const liveOf = (name: string) => Number(rows.find((row) => row.name === name)?.live ?? 0);
    return {
      accounts: liveOf("accounts"),
      entries: liveOf("entries"),
      holds: liveOf("holds") + liveOf("closed_holds"),
    };
  } finally {
    await client.end();
  }
}
