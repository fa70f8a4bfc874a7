/**
 * Detaching partitions of entries, accepted requests and hold events, by the role of jobs, and attaching them, by the owner of the schema
 * (docs/guides/database-growth.md). A period is detached from the first two in one transaction, from the last once its
 * holds are closed, and attached to all of them in one.
 */
import type { Client } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { idAt, timeOf } from "../../basics/ids.ts";
import { assertListed, type DetachedPartition, lockList, signList } from "./detached-list.ts";
import { assertAsDetached, type DetachedTable, describePartition, type RecordSigner } from "./partition-records.ts";
import { queryRows } from "../postgres/query-rows.ts";

const tables = { entries: "journal_id", accepted_requests: "id", hold_events: "hold_id" } as const;

export interface PartitionRow {
  readonly name: string;
  readonly table: string;
  /** Begin of its ids (epoch ms); undefined: the default partition. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** As far as PostgreSQL's statistics know; -1: not at all. */
  readonly rows: number;
  /** With its indexes; undefined: the table is not in this database any more. */
  readonly bytes: number | undefined;
  readonly isAttached: boolean;
}

export async function listPartitions(client: Client): Promise<readonly PartitionRow[]> {
  const rows = await queryRows(client, {
    text: `select name, parent, from_id, to_id, c.reltuples::bigint, pg_total_relation_size(c.oid), is_attached from (
        select name, parent, from_id, to_id, true as is_attached from partitions
        union all select name, parent, from_id, to_id, false from detached_partitions) p
      left join pg_class c on c.oid = to_regclass(p.name) order by parent, from_id nulls last`,
  });
  const at = (id: string | null | undefined) => (id == null ? undefined : timeOf(id));
  return rows.map(([name, table, from, to, count, bytes, isAttached]) => ({
    name: name as string,
    table: table as string,
    from: at(from),
    to: at(to),
    rows: Number(count ?? -1),
    bytes: bytes == null ? undefined : Number(bytes),
    isAttached: isAttached === "t",
  }));
}

interface PeriodIds {
  readonly from: string;
  readonly to: string;
}

interface Period extends PeriodIds {
  /** The partition of entries, or of hold events. */
  readonly name: string;
}

/** Detached at once. */
const ofJournals = ["entries", "accepted_requests"] as const;

/** Periods of attached partitions that end at the time or before, the oldest first. @throws where the tables' differ. */
async function periodsBefore(client: Client, before: number): Promise<readonly Period[]> {
  const periodsOf = (table: keyof typeof tables) =>
    queryRows(client, {
      text: "select from_id, to_id, name from partitions where parent = $1 and to_id <= $2 order by from_id",
      values: [table, idAt(before)],
    });
  const entries = await periodsOf("entries");
  const requests = await periodsOf("accepted_requests");
  const idsOf = (rows: typeof entries) => JSON.stringify(rows.map(([from, to]) => [from, to]));
  if (idsOf(entries) !== idsOf(requests)) {
    throw new Error("entries and accepted_requests have partitions of different periods: titian database partitions");
  }
  return entries.map(([from, to, name]) => ({ from: from as string, to: to as string, name: name as string }));
}

/** Reasons why a partition is not to be detached, as sentences; none: empty. */
async function findObstacles(client: Client, name: string): Promise<readonly string[]> {
  const rows = await queryRows(client, { text: "select unnest(find_detach_obstacles($1))", values: [name] });
  return rows.map(([obstacle]) => obstacle ?? "");
}

export interface DetachResult {
  /** Names of partitions that were detached, the oldest first. */
  readonly detached: readonly string[];
  /** Reasons why partitions of hold events were not, as sentences. */
  readonly kept: readonly string[];
  /** Reasons why none was, as sentences. */
  readonly obstacles: readonly string[];
}

/** Reasons outside of this database why partitions that end at an id, or before, stay, as sentences; none: empty. */
export type FindOutside = (to: string) => Promise<readonly string[]>;

/** Detaches the periods that end at a time (epoch ms) or before, one after the other. */
export async function detachBefore(
  client: Client,
  before: number,
  signer: RecordSigner,
  findOutside: FindOutside,
): Promise<DetachResult> {
  const periods = await periodsBefore(client, before);
  const last = periods.at(-1);
  const obstacles = last ? [...(await findObstacles(client, last.name)), ...(await findOutside(last.to))] : [];
  if (obstacles.length > 0) return { detached: [], kept: [], obstacles };
  await assertListed(client, signer);
  const detached: string[] = [];
  for (const period of periods) detached.push(...(await detachPeriod(client, period, ofJournals, signer)));
  const kept: string[] = [];
  for (const { name, ...period } of await findPeriodsOfEvents(client, before)) {
    const reasons = await findObstacles(client, name);
    if (reasons.length > 0) kept.push(`${name} stays: ${reasons.join(", ")}`);
    else detached.push(...(await detachPeriod(client, period, ["hold_events"], signer)));
  }
  return { detached, kept, obstacles };
}

/** Periods of hold events whose entries are detached, each with the name of its partition; the oldest first. */
async function findPeriodsOfEvents(client: Client, before: number): Promise<readonly Period[]> {
  const rows = await queryRows(client, {
    text: `select p.name, p.from_id, p.to_id from partitions p where p.parent = 'hold_events' and p.to_id <= $1
        and exists (select from detached_partitions d where d.parent = 'entries' and (d.from_id, d.to_id) = (p.from_id, p.to_id))
      order by p.from_id`,
    values: [idAt(before)],
  });
  return rows.map(([name, from, to]) => ({ name: name as string, from: from as string, to: to as string }));
}

async function detachPeriod(
  client: Client,
  { from, to }: PeriodIds,
  parents: readonly (keyof typeof tables)[],
  signer: RecordSigner,
): Promise<readonly string[]> {
  const rows = await queryRows(client, {
    text: "select name, parent from partitions where from_id = $1 and parent = any($2) order by parent",
    values: [from, parents],
  });
  const found = rows.map(([name, parent]): DetachedTable => ({ name: name ?? "", parent: parent ?? "", from, to }));
  // It reads all of them; no lock is held meanwhile. What is changed until they are detached is found when they come back.
  const added: DetachedPartition[] = [];
  for (const table of found) {
    const record = await describePartition(client, table, tables);
    added.push({ ...table, record, signature: await signer.sign(record) });
  }
  const names = found.map(({ name }) => name);
  const list = await signList(client, signer, added);
  await client.query("select detach_partitions($1, $2, $3, $4)", [
    names,
    added.map(({ record }) => record),
    added.map(({ signature }) => signature),
    list,
  ]);
  return names;
}

/**
 * Attaches the period of a detached partition again; answers the names. The next audit reads from there on. @throws where no
 * partition of this name is detached, its table is not in this database, or does not hold what was detached.
 */
export async function attachPeriodOf(client: Client, name: string, signer: RecordSigner): Promise<readonly string[]> {
  const found = await queryRows(client, {
    text: `select name, parent, from_id, to_id, to_regclass(name) is not null, record, signature
      from detached_partitions
      where from_id = (select from_id from detached_partitions where name = $1) order by parent`,
    values: [name],
  });
  if (found.length === 0) throw new Error(`no partition ${name} is detached: titian database partitions`);
  const gone = found.find(([, , , , isThere]) => isThere !== "t");
  if (gone) throw new Error(`the table ${gone[0]} is not in this database: restore it from your archive first`);
  await assertListed(client, signer);
  // The content is proven before any lock, so that attaching reads nothing.
  for (const [partition = "", parent = "", from = "", to = "", , record, signature] of found as string[][]) {
    // Earlier releases recorded nothing.
    if (record != null)
      await assertAsDetached(
        client,
        { name: partition, parent, from, to },
        { record, signature: signature ?? "" },
        signer,
      );
    const column = tables[parent as keyof typeof tables];
    const table = client.escapeIdentifier(partition);
    await client.query(`alter table ${table} drop constraint if exists in_period`);
    await client.query(`alter table ${table} add constraint in_period
      check (${column} is not null and ${column} >= '${from}' and ${column} < '${to}')`);
    // It was detached by an earlier release, or restored without its triggers.
    await client.query("select guard_partition($1, $2)", [parent, partition]);
    if (record == null && parent === "entries") await addActs(client, partition);
  }
  await untilFree(client, async () => {
    await lockList(client);
    for (const [partition = "", parent = "", from = "", to = ""] of found as string[][]) {
      const table = client.escapeIdentifier(partition);
      await client.query(`alter table ${parent} attach partition ${table} for values from ('${from}') to ('${to}')`);
      await client.query(`alter table ${table} drop constraint in_period`);
      await client.query("delete from detached_partitions where name = $1", [partition]);
    }
    await client.query(
      "update service_state set value = to_json($1::text) where name = 'audit_watermark' and value #>> '{}' > $1::text",
      [found[0]?.[2]],
    );
    await client.query("select keep_detached_list($1)", [await signList(client, signer)]);
  });
  return found.map(([partition]) => partition as string);
}

/**
 * For openings of releases that kept no acts: 0018-acts.sql wrote acts of those alone that were attached then. Before any
 * lock, since it reads the partition; the audit reads no act of a period that is still detached.
 */
async function addActs(client: Client, partition: string): Promise<void> {
  const entries = client.escapeIdentifier(partition);
  await client.query(`select add_earlier_act(kind, journal_id, string_agg(entry, ', ' order by entry collate "C"), min(created_at))
    from (
      select e.journal_id, e.created_at, format('%s %s %s', a.account_no, e.amount, e.currency) as entry, 'opening' as kind
      from ${entries} e join accounts a on a.id = e.account_id where e.kind = 1
      union all
      select e.journal_id, e.created_at, format('%s %s %s', a.account_no, e.amount, e.currency), ended.kind
      from (select resolution_journal_id, 'resolution' from transfers where resolved_by = 'operator'
          union all select return_journal_id, 'return' from transfers where returned_by = 'operator') ended (journal_id, kind)
        join ${entries} e on e.journal_id = ended.journal_id join accounts a on a.id = e.account_id) moved
    where not exists (select from acts where acts.journal_id = moved.journal_id)
    group by journal_id, kind`);
}

const triesMax = 50;
const pauseMs = 200;

/** In a transaction; again while a lock is not free within 100 ms, so that calls never queue behind it for longer. */
async function untilFree<Value>(client: Client, work: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    await client.query("begin");
    try {
      await client.query("set local lock_timeout = '100ms'");
      const value = await work();
      await client.query("commit");
      return value;
    } catch (error) {
      await client.query("rollback");
      if (!(error instanceof Error && "code" in error && error.code === "55P03") || tries === triesMax) throw error;
      await sleep(pauseMs);
    }
  }
}
