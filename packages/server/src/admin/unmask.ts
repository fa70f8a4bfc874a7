/** Personal data of one record, shown unmasked to one operator for a while, for a reason (docs/adr/0078-console-in-production.md). */
import { newId } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { unmaskRecord } from "../store/tables/acts.ts";

export interface Unmasking {
  readonly actId: string;
  /** Epoch ms. */
  readonly until: number;
}

/** `record`: its number as calls name it. `database`: an operator's connections. @throws PostgreSQL's own error where the operator may not */
export async function unmask(database: StatementPool, record: string, reason: string): Promise<Unmasking> {
  const actId = newId();
  return { actId, until: await unmaskRecord(database, actId, record, reason) };
}
