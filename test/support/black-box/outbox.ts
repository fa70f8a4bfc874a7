/** Outbox of the sandbox: notifications for partners, as its database has them before anything is delivered. */
import type { SandboxFile } from "./sandbox-file.ts";
import { withClient } from "../database/with-client.ts";

/** Every event of the service's partners in order, as notification code and status: "76 00". By `partnerReferenceNo` or `partnerBulkId`. */
export function readOutbox({ databaseUrl }: SandboxFile): Promise<ReadonlyMap<string, readonly string[]>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ readonly number: string; readonly event: string }>(
      `select coalesce(r.payload::jsonb #>> '{request,partnerReferenceNo}', r.payload::jsonb #>> '{request,partnerBulkId}') as number, o.service || ' ' || o.status as event
       from outbox o join accepted_requests r on r.id = o.aggregate_id order by o.created_at, o.id`,
    );
    const byNumber = Map.groupBy(rows, ({ number }) => number);
    return new Map([...byNumber].map(([number, events]) => [number, events.map(({ event }) => event)]));
  });
}
