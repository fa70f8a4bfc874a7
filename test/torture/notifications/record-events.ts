/** Results of transfers, recorded by SQL as the service does: the request before, the notification when its time has come. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { externalIdOf, newId, toReferenceNo } from "../../../packages/server/src/basics/ids.ts";
import { bodyVersion } from "../../../packages/server/src/store/tables/notifications/outbox.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { type RailService, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { newNumber } from "../../support/black-box/caller.ts";
import { contentHash } from "./content-hash.ts";
import type { PlannedEvent } from "./plan-events.ts";

export interface Partner {
  /** Internal id. */
  readonly key: string;
  readonly partnerId: string;
}

export interface RecordedEvent {
  readonly id: string;
  readonly externalId: string;
  readonly endpoint: number;
  /** Id of the transfer. */
  readonly subject: string;
  readonly status: string;
  /** `contentHash` of what is to be sent. */
  readonly content: string;
  /** Epoch ms. */
  readonly recordedAt: number;
}

type NewEvent = Omit<RecordedEvent, "recordedAt"> & {
  readonly atMs: number;
  readonly partner: string;
  readonly service: number;
};

const everyMs = 10;
const services: readonly (readonly [RailService, number, string])[] = [
  [rtgs, 76, "/v1.0/transfer-rtgs/notify"],
  [skn, 75, "/v1.0/transfer-skn/notify"],
];
const payer = "1001000001";

/** Records the plan's events at their times; `movedMs`: how far business time is ahead of real time. */
export async function recordEvents(
  client: Client,
  partners: readonly Partner[],
  plan: readonly PlannedEvent[],
  movedMs: number,
): Promise<readonly RecordedEvent[]> {
  const events = await insertTransfers(client, partners, plan);
  const recorded: RecordedEvent[] = [];
  const startedAt = performance.now();
  while (recorded.length < events.length) {
    const elapsedMs = performance.now() - startedAt;
    const rest = events.slice(recorded.length, recorded.length + 1_000);
    const due = rest.filter(({ atMs }) => atMs <= elapsedMs);
    if (due.length > 0) {
      const recordedAt = Date.now();
      await insertEvents(client, due, recordedAt + movedMs);
      recorded.push(...due.map((event) => ({ ...event, recordedAt })));
    }
    await sleep(everyMs);
  }
  return recorded;
}

/** Accepted requests of the plan's transfers; they have no accounts and no entries, for no notification tells of them. */
async function insertTransfers(
  client: Client,
  partners: readonly Partner[],
  plan: readonly PlannedEvent[],
): Promise<readonly NewEvent[]> {
  const transfers = new Map<
    number,
    (status: string) => Pick<NewEvent, "subject" | "content" | "partner" | "service">
  >();
  const rows: (readonly [string, string, number, string, string])[] = [];
  for (const { transfer, endpoint } of plan.filter(({ status }) => status === "00")) {
    const { key, partnerId } = partners[endpoint] as Partner;
    const [service, notification, path] = services[transfer % services.length] as (typeof services)[number];
    const [subject, externalId, request] = [newId(), newNumber(), railBody(service, payer)];
    rows.push([subject, key, Number(service.service), externalId, JSON.stringify({ request })]);
    transfers.set(transfer, (status) => ({
      subject,
      partner: key,
      service: notification,
      content: contentHash(path, partnerId, bodyOf(request, { subject, externalId, status, partnerId })),
    }));
  }
  await insertRequests(client, rows);
  return plan.flatMap(({ atMs, endpoint, transfer, status }) => {
    const of = transfers.get(transfer);
    const id = newId();
    return of ? [{ id, externalId: externalIdOf(id), endpoint, status, atMs, ...of(status) }] : [];
  });
}

type Request = ReturnType<typeof railBody>;

/** As docs/reference/notifications.md shows it. */
function bodyOf(
  request: Request,
  { subject, externalId, status, partnerId }: Record<"subject" | "externalId" | "status" | "partnerId", string>,
) {
  const { value, currency } = request["amount"] as Record<"value" | "currency", string>;
  return JSON.stringify({
    additionalInfo: { partnerId },
    amount: { currency, value },
    beneficiaryAccountName: request["beneficiaryAccountName"],
    beneficiaryAccountNo: request["beneficiaryAccountNo"],
    beneficiaryBankCode: request["beneficiaryBankCode"],
    latestTransactionStatus: status,
    originalExternalId: externalId,
    originalPartnerReferenceNo: request["partnerReferenceNo"],
    originalReferenceNo: toReferenceNo(subject),
    sourceAccountNo: request["sourceAccountNo"],
    transactionDate: request["transactionDate"],
  });
}

const sliceSize = 5_000;

async function insertRequests(
  client: Client,
  rows: readonly (readonly [string, string, number, string, string])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += sliceSize) {
    const slice = rows.slice(from, from + sliceSize);
    await client.query(
      `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
          request_fingerprint, external_id, payload, accepted_at)
        select id, partner, service, id, id, id, id, external_id, payload, now()
        from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[]) as t (id, partner, service, external_id, payload)`,
      [0, 1, 2, 3, 4].map((column) => slice.map((row) => row[column])),
    );
  }
}

async function insertEvents(client: Client, events: readonly NewEvent[], at: number): Promise<void> {
  await client.query({
    name: "record-events",
    text: `insert into outbox (id, partner, service, aggregate_id, status, created_at, body_version)
      select id, partner, service, subject, status, $6::timestamptz, ${bodyVersion}
      from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[]) as t (id, partner, service, subject, status)`,
    values: [
      events.map(({ id }) => id),
      events.map(({ partner }) => partner),
      events.map(({ service }) => service),
      events.map(({ subject }) => subject),
      events.map(({ status }) => status),
      new Date(at).toISOString(),
    ],
  });
}
