/** Events of a hold, each with the request that caused it. */
import { operations, writesOf } from "@titian/contract";
import type { Pool } from "pg";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { type HoldEventKind, holdEventKinds } from "../../ledger/holds/hold.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";

export type HoldEventSummary = Shown<typeof listHoldEvents>[number];

const kindNames = new Map<number, HoldEventKind>(
  Object.entries(holdEventKinds).map(([name, number]) => [number, name as HoldEventKind]),
);
const captureService = Number(operations.authCapture.code);

/** A page of the events of a hold, newest first: those below sequence `before`, at most `limit`. */
export async function listHoldEvents(
  { pool }: Pick<QueryDeps, "pool">,
  referenceNo: string,
  { before, limit }: { readonly before: number; readonly limit: number },
) {
  const hold = fromReferenceNo(referenceNo);
  if (hold === undefined) return [];
  const rows = await queryRows(pool, {
    name: "list-hold-events",
    text: `select e.sequence, e.kind, e.amount, e.command_id, r.service, r.payload::json ->> 'to', c.command_id,
        ${epochMs("e.created_at")}
      from hold_events e left join lateral (select service, payload from accepted_requests where id = e.command_id limit 1) r on true
        left join hold_events c on c.hold_id = e.hold_id and c.sequence = e.capture_sequence
      where e.hold_id = $1::uuid and e.sequence < $2::int order by e.sequence desc limit $3::int`,
    values: [hold, before, limit],
  });
  return rows.map(([sequence, kindNumber, amount, command, service, to, capture, at]) => {
    const kind = kindNames.get(Number(kindNumber)) as HoldEventKind;
    return {
      /** Position in the hold, numbered from 1. */
      sequence: Number(sequence),
      kind,
      /** True: a last capture (65) released the remaining amount. */
      isOfLastCapture: kind === "void" && Number(service) === captureService,
      /** Minor units. */
      amount: BigInt(amount as string),
      /** Business time (epoch ms). */
      at: Number(at),
      /** captureNo, voidNo or refundNo; undefined for an expiry. */
      referenceNo: service == null ? undefined : toReferenceNo(command as string),
      /** Account credited; undefined when no money moved. */
      toAccountNo: kind === "void" ? undefined : (to ?? undefined),
      /** captureNo of the capture that a refund debits. */
      captureNo: capture == null ? undefined : toReferenceNo(capture),
    };
  });
}

const changes = writesOf("hold")
  .filter(({ about }) => about.within !== undefined)
  .map(({ code }) => Number(code));

/** Id of the hold that an accepted capture, void or refund of this id is about. */
export async function findHoldOfChange(pool: Pool, id: string): Promise<string | undefined> {
  const rows = await queryRows(pool, {
    name: "read-hold-of-change",
    text: "select payload::json ->> 'hold' from accepted_requests where id = $1::uuid and service = any($2::int[])",
    values: [id, changes],
  });
  return rows[0]?.[0] ?? undefined;
}
