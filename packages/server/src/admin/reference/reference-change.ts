/** Changes of reference data by the service: one transaction, then this process works by it. Acts change it otherwise (reference-act.ts). */
import type { Clock, Instant } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { StatementClient, StatementPool } from "../../store/postgres/connect.ts";
import { changeReference } from "../../store/reference/reference.ts";

export interface ReferenceDeps {
  /** Takes plain statements (`createAdminPool`). */
  readonly database: StatementPool;
  /** Connections that read credentials, where those of an operator do not; absent: `database`. */
  readonly credentials?: StatementPool;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Makes the change known to this process before the caller is answered; absent where nothing serves calls. */
  readonly refresh?: () => Promise<void>;
}

interface Stamp {
  /** Version of reference data that this change makes. */
  readonly version: number;
  /** Business time. */
  readonly now: Instant;
}

export async function change<Value>(
  { database, clock, refresh }: ReferenceDeps,
  work: (client: StatementClient, stamp: Stamp) => Promise<Value>,
): Promise<Value> {
  const result = await changeReference(database, (client, version) => work(client, { version, now: clock.now() }));
  await refresh?.();
  return result;
}
