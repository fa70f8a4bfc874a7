/** Changes of reference data by administration: one transaction, then this process works by it. */
import type { Clock } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { StatementClient, StatementPool } from "../../store/postgres/connect.ts";
import { changeReference, findPartner, type PartnerRow } from "../../store/reference/reference.ts";
import type { Stamp } from "../../store/reference/reference-changes.ts";
import { withRights } from "../administration-rights.ts";
import { type AdminResult, rejected } from "../result.ts";

export interface ReferenceDeps {
  /** Takes plain statements (`createAdminPool`). */
  readonly database: StatementPool;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Makes the change known to this process before the caller is answered; absent where nothing serves calls. */
  readonly refresh?: () => Promise<void>;
}

export async function change<Value, Own extends string = never>(
  { database, clock, refresh }: ReferenceDeps,
  work: (client: StatementClient, stamp: Stamp) => Promise<AdminResult<Value, Own>>,
): Promise<AdminResult<Value, Own>> {
  const result = await withRights(database, () =>
    changeReference(database, (client, version) => work(client, { version, now: clock.now() })),
  );
  if (result.ok) await refresh?.();
  return result;
}

/** A change of, or for, a partner that must be there. */
export function changeExisting<Value, Own extends string = never>(
  deps: ReferenceDeps,
  partnerId: string,
  work: (client: StatementClient, partner: PartnerRow, stamp: Stamp) => Promise<AdminResult<Value, Own>>,
): Promise<AdminResult<Value, Own>> {
  return change(deps, async (client, stamp) => {
    const partner = await findPartner(client, partnerId);
    return partner
      ? work(client, partner, stamp)
      : rejected("unknownPartner", "There is no such partner.", "partnerId");
  });
}
