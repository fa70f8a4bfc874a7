/** Events of a hold, each with the request that caused it. */
import { writesOf } from "@titian/contract";
import type { Pool } from "pg";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { type HoldEventKind, holdEventKinds } from "../../ledger/holds/hold.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import { epochMs } from "../../store/statements/select-list.ts";

export interface KeptHoldEvent {
  readonly sequence: number;
  readonly kind: HoldEventKind;
  readonly amount: Minor;
  /** Id of the command, from which our number is made. */
  readonly command: string;
  /** Code of the requested service; absent for an expiry. */
  readonly service: number | undefined;
  /** Number of the credited account, where money moved. */
  readonly toAccountNo: string | undefined;
  /** Of a refund: the command of the refunded capture. */
  readonly captureCommand: string | undefined;
  /** Business time (epoch ms). */
  readonly at: number;
}

const kindNames = new Map<number, HoldEventKind>(
  Object.entries(holdEventKinds).map(([name, number]) => [number, name as HoldEventKind]),
);

/** Newest first, those below sequence `before`; at most `limit`. */
export async function listHoldEvents(
  pool: Pool,
  hold: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<readonly KeptHoldEvent[]> {
  const rows = await queryRows(pool, {
    name: "list-hold-events",
    text: `select e.sequence, e.kind, e.amount, e.command_id, r.service, r.payload::json ->> 'to', c.command_id,
        ${epochMs("e.created_at")}
      from hold_events e left join lateral (select service, payload from accepted_requests where id = e.command_id limit 1) r on true
        left join hold_events c on c.hold_id = e.hold_id and c.sequence = e.capture_sequence
      where e.hold_id = $1::uuid and e.sequence < $2::int order by e.sequence desc limit $3::int`,
    values: [hold, before, limit],
  });
  return rows.map(([sequence, kind, amount, command, service, to, capture, at]) => ({
    sequence: Number(sequence),
    kind: kindNames.get(Number(kind)) as HoldEventKind,
    amount: minor(BigInt(amount as string)),
    command: command as string,
    service: service === null ? undefined : Number(service),
    toAccountNo: to ?? undefined,
    captureCommand: capture ?? undefined,
    at: Number(at),
  }));
}

const changes = writesOf("hold")
  .filter(({ about }) => about.within !== undefined)
  .map(({ code }) => Number(code));

/** The hold that an accepted capture, void or refund of this id is about. */
export async function findHoldOfChange(pool: Pool, id: string): Promise<string | undefined> {
  const rows = await queryRows(pool, {
    name: "read-hold-of-change",
    text: "select payload::json ->> 'hold' from accepted_requests where id = $1::uuid and service = any($2::int[])",
    values: [id, changes],
  });
  return rows[0]?.[0] ?? undefined;
}
