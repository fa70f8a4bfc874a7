/** Fills a database with records of half a year, by SQL: the rows that lists and the search read, and their words. */
import { Client } from "pg";
import { ensureSearchKeys } from "../../packages/server/src/admin/search/search-keys.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { TestNode } from "../../test/support/administration.ts";
import { query } from "../database/databases.ts";
import {
  drawStatements,
  functionStatements,
  keepStatements,
  lastStatements,
  type Pads,
  recordsOfTransfer,
  type Week,
  wordsStatement,
} from "./fill-statements.ts";

export interface FillOptions {
  /** As the owner of the schema. */
  readonly url: string;
  readonly node: Pick<TestNode, "adminPool" | "secrets">;
  readonly transfers: number;
  readonly onProgress: (text: string) => void;
}

export interface Filled {
  readonly transfers: number;
  /** Id of a bulk of about ten thousand items. */
  readonly bulk: string;
}

const weekMs = 7 * 86_400_000;
const weekCount = 26;
/** About one in three is an interbank transfer. */
const recordsWithItems = 33_000;
const partitioned = [
  "accepted_requests",
  "rejected_requests",
  "entries",
  "hold_events",
  "closed_holds",
  "delivery_attempts",
  "search_words",
];

/** Its triggers guard what the service writes, and are left out: the rows are read alone, and deleted with the database. */
export async function fillRecords({ url, node, transfers, onProgress }: FillOptions): Promise<Filled> {
  const client = new Client({ connectionString: url, application_name: "bench fill" });
  await client.connect();
  try {
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await client.query(statement);
    };
    await run(["set session_replication_role = replica", "set synchronous_commit = off", ...functionStatements]);
    const bulk = newId();
    const records = Math.ceil(transfers * recordsOfTransfer);
    const weeks = weeksOf(records, await firstPartition(client));
    // Before there are rows: a vacuum of its own accord would hold the lock that a partition needs.
    for (const { from, to } of weeks) {
      for (const parent of partitioned) await client.query("select make_partition($1, $2, $3)", [parent, from, to]);
    }
    for (const [index, week] of weeks.entries()) {
      await run(drawStatements(week));
      const [first, end] = week.numbers;
      const hasItems = index === weekCount - 1 && end - first >= recordsWithItems;
      await run(keepStatements(hasItems ? bulk : ""));
      for (const month of monthsOf(week)) await client.query(wordsStatement(month, await padsOf(node, month.from)));
      onProgress(`week ${index + 1} of ${weekCount}: ${week.numbers[1].toLocaleString("en")} records`);
    }
    await run([...lastStatements, "drop table drawn, filled", "vacuum analyze"]);
    await run([`create table filling as select ${transfers} as transfers, '${bulk}' as bulk`]);
    return { transfers, bulk };
  } finally {
    await client.end();
  }
}

/** Undefined: nothing, or not to the end. */
export async function readFilled(url: string): Promise<Filled | undefined> {
  const [known] = await query(url, "select to_regclass('filling') is not null as is_filled");
  if (known?.["is_filled"] !== true) return undefined;
  const [row] = await query(url, "select transfers, bulk from filling");
  return { transfers: Number(row?.["transfers"]), bulk: String(row?.["bulk"]) };
}

/** Where the partitions begin that the schema has: the filled weeks end there. */
async function firstPartition(client: Client): Promise<number> {
  const { rows } = await client.query<{ at: string | null }>(
    "select extract(epoch from min(time_of(from_id))) * 1000 as at from partitions where not is_default and parent = 'accepted_requests'",
  );
  return Number(rows[0]?.at ?? Date.now());
}

function weeksOf(records: number, end: number): readonly Week[] {
  const timeAt = (week: number) => new Date(end - (weekCount - week) * weekMs).toISOString();
  const numberAt = (week: number) => Math.floor((records * week) / weekCount) + 1;
  return Array.from({ length: weekCount }, (_, week) => ({
    numbers: [numberAt(week), numberAt(week + 1)],
    from: timeAt(week),
    to: timeAt(week + 1),
  }));
}

/** A week, or its two parts where a month begins in it, by UTC. */
function monthsOf({ from, to }: Week): readonly Pick<Week, "from" | "to">[] {
  const next = new Date(Date.UTC(Number(to.slice(0, 4)), Number(to.slice(5, 7)) - 1)).toISOString();
  return next > from && next < to
    ? [
        { from, to: next },
        { from: next, to },
      ]
    : [{ from, to }];
}

async function padsOf({ adminPool: pool, secrets }: FillOptions["node"], time: string): Promise<Pads> {
  const month = time.slice(0, 7);
  const key = (await ensureSearchKeys({ pool, secrets }, new Set([month]))).get(month);
  if (key === undefined) throw new Error(`There is no key of ${month}.`);
  const pad = (byte: number) => {
    const block = Buffer.alloc(64, byte);
    for (let at = 0; at < key.length; at += 1) block.writeUInt8(key.readUInt8(at) ^ byte, at);
    return block.toString("hex");
  };
  return { inner: pad(0x36), outer: pad(0x5c) };
}
