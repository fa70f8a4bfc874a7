/** Events that partners are notified of: records of RTGS transfers (22) and, when they are told to be, their outbox rows. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";

import { bodyVersion } from "../../packages/server/src/store/tables/notifications/outbox.ts";
export interface Events extends AsyncDisposable {
  /** Records so many transfers, outside the measured time. */
  prepare(count: number): Promise<void>;
  /** Adds the events of so many prepared transfers. */
  add(count: number): Promise<void>;
  /** Counts notifications that are delivered, of all so far. */
  countDelivered(): Promise<number>;
  /** Waits until all that were added are delivered. */
  delivered(): Promise<void>;
}

const request = {
  partnerReferenceNo: "BENCH-0001",
  beneficiaryAccountName: "Siti Nur Aini",
  beneficiaryAccountNo: "7001001001",
  beneficiaryBankCode: "014",
  sourceAccountNo: "1001000001",
  transactionDate: "2026-11-21T10:00:00+07:00",
  amount: { value: "150000000.00", currency: "IDR" },
};

const { partnerReferenceNo, ...repeated } = request;
/** The body of such a notification, as the service writes it. */
export const sampleBody = JSON.stringify({
  originalPartnerReferenceNo: partnerReferenceNo,
  originalReferenceNo: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
  originalExternalId: "00000000000000000001",
  latestTransactionStatus: "00",
  ...repeated,
});

const lookEveryMs = 20;
const deliveredWithinMs = 300_000;

/** `partners`: internal ids; they take turns. */
export async function openEvents(url: string, partners: readonly string[]): Promise<Events> {
  const client = new Client({ connectionString: url, application_name: "bench" });
  await client.connect();
  const prepared: { readonly id: string; readonly partner: string }[] = [];
  const countDelivered = async () => {
    const { rows } = await client.query<{ count: string }>("select count(*) from outbox where state = 'delivered'");
    return Number(rows[0]?.count);
  };
  return {
    prepare: async (count) => {
      const rows = Array.from({ length: count }, (_, number) => ({
        id: newId(),
        partner: partners[number % partners.length] ?? "",
      }));
      await client.query(
        `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
           request_fingerprint, external_id, payload, accepted_at)
         select id, partner, 22, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
           '00000000000000000001', $3, now() from unnest($1::uuid[], $2::uuid[]) added (id, partner)`,
        [rows.map(({ id }) => id), rows.map(({ partner }) => partner), JSON.stringify({ request })],
      );
      await client.query("analyze accepted_requests");
      prepared.push(...rows);
    },
    add: async (count) => {
      const rows = prepared.splice(0, count);
      if (rows.length < count) throw new Error("Fewer transfers are prepared than events are to be added.");
      await client.query(
        `insert into outbox (id, partner, service, aggregate_id, status, created_at, body_version)
         select id, partner, 76, aggregate_id, '00', clock_timestamp(), ${bodyVersion}
         from unnest($1::uuid[], $2::uuid[], $3::uuid[]) added (id, partner, aggregate_id)`,
        [rows.map(() => newId()), rows.map(({ partner }) => partner), rows.map(({ id }) => id)],
      );
    },
    countDelivered,
    delivered: async () => {
      const startedAt = performance.now();
      for (;;) {
        const { rowCount } = await client.query("select from outbox where state = 'waiting' limit 1");
        if (rowCount === 0) return;
        if (performance.now() - startedAt > deliveredWithinMs) throw new Error("Not all was delivered in time.");
        await sleep(lookEveryMs);
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
