/**
 * Record of a detached partition's rows: counted and hashed, so that only what went away comes back
 * (docs/guides/database-growth.md).
 */
import type { Client } from "pg";
import { timeOf } from "../../basics/ids.ts";
import { queryRows } from "../postgres/query-rows.ts";

export interface DetachedTable {
  readonly name: string;
  readonly parent: string;
  /** Ids of its period. */
  readonly from: string;
  readonly to: string;
}

interface PartitionRecord extends DetachedTable {
  /** Those that are hashed: a column that a later release adds changes nothing. */
  readonly columns: readonly string[];
  readonly rows: string;
  /** Sum of all debits in minor units, of entries. */
  readonly debits: string;
  /** SHA-256 over the hashes of the rows, whatever their order. */
  readonly hash: string;
  /** True: it is in a signed list (detached-list.ts), as all but those of earlier releases are. */
  readonly isListed?: true;
}

/** Signs with the provider's key, and knows what was signed with it or a former one. */
export interface RecordSigner {
  readonly sign: (text: string) => Promise<string>;
  readonly isSigned: (text: string, signature: string) => boolean;
}

/** An attached one, as JSON text. It reads the whole table, by its parent: no other role than the owner may read a partition itself. */
export async function describePartition(
  client: Client,
  table: DetachedTable,
  idColumns: Readonly<Record<string, string>>,
): Promise<string> {
  const { parent, from, to } = table;
  const id = idColumns[parent] ?? "";
  const rows = `${client.escapeIdentifier(parent)} where ${id} >= '${from}' and ${id} < '${to}'`;
  const text =
    "select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by 1";
  const columns = (await queryRows(client, { text, values: [client.escapeIdentifier(table.name)] })).map(
    ([name]) => name ?? "",
  );
  const record = await recordOf(client, table, columns, rows);
  return JSON.stringify({ ...record, isListed: true } satisfies PartitionRecord);
}

/** `source`: where its rows are, if not in the table itself. */
async function recordOf(
  client: Client,
  table: DetachedTable,
  columns: readonly string[],
  source = `only ${client.escapeIdentifier(table.name)}`,
) {
  // Times are hashed as they are written.
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO, YMD'");
  const row = `row(${columns.map((name) => client.escapeIdentifier(name)).join(", ")})::text`;
  const debit = table.parent === "entries" ? "greatest(-amount, 0)" : "0";
  // In parts by the first bytes: no text of PostgreSQL holds the hashes of all rows.
  const [found = []] = await queryRows(client, {
    text: `select coalesce(sum(p.rows), 0), coalesce(sum(p.debits), 0),
        coalesce(encode(sha256(string_agg(p.hash, ''::bytea order by p.part)), 'hex'), '')
      from (select substr(r.hash, 1, 2) as part, count(*) as rows, sum(r.debit) as debits,
          sha256(string_agg(r.hash, ''::bytea order by r.hash)) as hash
        from (select sha256(convert_to(${row}, 'UTF8')) as hash, ${debit} as debit
          from ${source}) r group by 1) p`,
  });
  const [rows = "", debits = "", hash = ""] = found as string[];
  const { name, parent, from, to } = table;
  return { name, parent, from, to, columns, rows, debits, hash };
}

/** @throws where the table does not hold what its signed record says. */
export async function assertAsDetached(
  client: Client,
  table: DetachedTable,
  { record, signature }: { readonly record: string; readonly signature: string },
  signer: RecordSigner,
): Promise<void> {
  if (!signer.isSigned(record, signature))
    throw new Error(
      `the record of ${table.name} is not signed with this provider key: give the public key it was detached with (--public-key)`,
    );
  const was = JSON.parse(record) as PartitionRecord;
  const is: PartitionRecord = {
    ...(await recordOf(client, table, was.columns)),
    ...(was.isListed && { isListed: was.isListed }),
  };
  if (JSON.stringify(is) === record) return;
  const say = ({ rows, debits, hash }: PartitionRecord) =>
    `${rows} rows, debits of ${debits}, SHA-256 ${hash.slice(0, 16)}`;
  throw new Error(
    `the table ${table.name} is not what was detached: ${say(is)}, and it was ${say(was)}. Restore it from another copy`,
  );
}

/** Reads the table of a record that nobody may have verified; undefined: it is no record. */
function readRecord(text: string): Partial<PartitionRecord> | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return record instanceof Object ? record : undefined;
  } catch {
    return undefined;
  }
}

export function isListed(record: string): boolean {
  return readRecord(record)?.isListed === true;
}

/** The table that a record is of, for people. */
export function tableOfRecord(record: string): string {
  const { name, parent, from, to } = readRecord(record) ?? {};
  return describeTable({ name: String(name), parent: String(parent), from: String(from), to: String(to) });
}

/** With its period. */
export function describeTable({ name, parent, from, to }: DetachedTable): string {
  return `${name} of ${parent}, ${describeTime(from)} to ${describeTime(to)}`;
}

function describeTime(id: string): string {
  const ms = timeOf(id);
  return Number.isNaN(ms) ? id : new Date(ms).toISOString();
}
