/** Parts that an audit cannot read, because their partitions are detached. */
import type { Client } from "pg";
import { advice, findListFaults, findRecordFaults, findUnchecked, readDetached } from "../partitions/detached-list.ts";
import type { RecordSigner } from "../partitions/partition-records.ts";
import { queryRows } from "../postgres/query-rows.ts";

/** SQL of the id from which on all accepted requests and entries are there; null: none are detached. */
export const detachedUntil = "(select to_id from detached_partitions order by to_id desc limit 1)";

/** SQL of whether the events of a hold are detached. */
export const hasDetachedEvents = (hold: string) =>
  `exists (select from detached_partitions d where d.parent = 'hold_events' and d.from_id <= ${hold} and d.to_id > ${hold})`;

/** Finding about a detached partition or the list of them, with what to do. */
interface DetachedFinding {
  readonly check: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;
}

export interface CheckedDetached {
  readonly findings: readonly DetachedFinding[];
  /** Checks that could not be made, with the reason; as sentences. */
  readonly unchecked: readonly string[];
}

/** Reads what the database still knows of detached partitions. `isSigned` absent: there is no key to ask. */
export async function checkDetached(
  client: Client,
  isSigned: RecordSigner["isSigned"] | undefined,
): Promise<CheckedDetached> {
  const detached = await readDetached(client);
  const faults = [...findRecordFaults(detached, isSigned), ...(await findListFaults(client, detached, isSigned))];
  return {
    findings: [...(await findAttachedByHand(client)), ...faults.map((fault) => ({ ...fault, advice }))],
    unchecked: findUnchecked(detached, isSigned !== undefined),
  };
}

const idColumns = { entries: "journal_id", accepted_requests: "id", hold_events: "hold_id" } as const;
const hasRows = Object.entries(idColumns)
  .map(
    ([table, id]) => `when '${table}' then exists (select from ${table} where ${id} >= d.from_id and ${id} < d.to_id)`,
  )
  .join(" ");

/** Detached partitions whose rows are here again without `titian database attach`, which compares them with what was detached. */
async function findAttachedByHand(client: Client): Promise<readonly DetachedFinding[]> {
  const rows = await queryRows(client, {
    text: `select name, parent, is_attached from (
        select d.name, d.parent, exists (select from partitions p where p.name = d.name) as is_attached,
          case d.parent ${hasRows} end as has_rows
        from detached_partitions d) found
      where is_attached or has_rows order by name`,
  });
  return rows.map(([subject, parent, isAttached]) => ({
    check: "detachedPartition",
    subject: subject ?? "",
    expected: "detached",
    found: isAttached === "t" ? "attached without a comparison" : `rows of its period in ${parent}`,
    advice:
      "Detach by hand what titian database attach did not attach, and attach it with that: it adds nothing but what was detached.",
  }));
}

export interface Period {
  /** Ids; `to` is no part of it. */
  readonly from: string;
  readonly to: string;
}

/** Periods whose accepted requests and entries are detached, the oldest first. */
export async function readDetachedPeriods(client: Client): Promise<readonly Period[]> {
  const rows = await queryRows(client, { text: "select distinct from_id, to_id from detached_partitions order by 1" });
  return rows.map(([from, to]) => ({ from: from ?? "", to: to ?? "" }));
}
