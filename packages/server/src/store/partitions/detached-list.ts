/**
 * The signed list of what is detached, in `service_state`: a record that was removed is missed, also where its table was dropped.
 * Every detach and attach compares it with the records and signs it anew.
 */
import { hash } from "node:crypto";
import type { Client } from "pg";
import { describeTable, type DetachedTable, isListed, type RecordSigner, tableOfRecord } from "./partition-records.ts";
import { queryRows } from "../postgres/query-rows.ts";

export interface DetachedPartition extends DetachedTable {
  /** Undefined: an earlier release detached it. */
  readonly record: string | undefined;
  readonly signature: string | undefined;
}

/** Difference of a record or the list from what it should be. */
export interface RecordFault {
  readonly check: "detachedRecord" | "detachedList";
  /** A partition, or the list. */
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

type IsSigned = RecordSigner["isSigned"];

interface SignedList {
  /** JSON: the SHA-256 of each partition's record by the partition's name; null: it has none. */
  readonly list: string;
  readonly signature: string;
}

export interface Detached {
  readonly partitions: readonly DetachedPartition[];
  /** Undefined: none was ever signed. */
  readonly signed: SignedList | undefined;
}

const stateName = "detached_partitions";

/** In one statement: what is detached meanwhile is in neither. */
export async function readDetached(client: Client): Promise<Detached> {
  const rows = await queryRows(client, {
    text: `select name, parent, from_id, to_id, record, signature from detached_partitions
      union all select null, null, null, null, value ->> 'list', value ->> 'signature' from service_state where name = $1
      order by name`,
    values: [stateName],
  });
  const list = rows.find(([name]) => name === null);
  const partitions = rows
    .filter((row) => row !== list)
    .map(([name, parent, from, to, record, signature]) => ({
      name: name ?? "",
      parent: parent ?? "",
      from: from ?? "",
      to: to ?? "",
      record: record ?? undefined,
      signature: signature ?? undefined,
    }));
  return { partitions, signed: list && { list: list[4] ?? "", signature: list[5] ?? "" } };
}

const changed = "it has another text, or was signed with another key";

/** `isSigned` absent: there is no key to ask. */
export function findRecordFaults({ partitions }: Detached, isSigned: IsSigned | undefined): readonly RecordFault[] {
  return partitions.flatMap((partition): readonly RecordFault[] => {
    const { name: subject, record, signature = "" } = partition;
    if (record === undefined) return [];
    const fault = { check: "detachedRecord", subject } as const;
    if (isSigned?.(record, signature) === false)
      return [{ ...fault, expected: "a record signed with the provider's key", found: changed }];
    const [expected, found] = [describeTable(partition), tableOfRecord(record)];
    return expected === found ? [] : [{ ...fault, expected: `a record of ${expected}`, found: `one of ${found}` }];
  });
}

const listSubject = "list of detached partitions";

const hashOf = ({ record }: DetachedPartition) => (record === undefined ? null : hash("sha256", record, "hex"));

const writeList = (partitions: readonly DetachedPartition[]) =>
  JSON.stringify(Object.fromEntries(partitions.map((partition) => [partition.name, hashOf(partition)])));

/** Nothing where none was ever signed, and nothing is there that this release detached. */
export async function findListFaults(
  client: Client,
  { partitions, signed }: Detached,
  isSigned: IsSigned | undefined,
): Promise<readonly RecordFault[]> {
  const fault = {
    check: "detachedList",
    subject: listSubject,
    expected: "one signed with the provider's key",
  } as const;
  if (signed === undefined) {
    const isMissing = partitions.some(({ record }) => record !== undefined && isListed(record));
    return isMissing || (await areBalancesAlone(client)) ? [{ ...fault, found: "none" }] : [];
  }
  const listed = readList(signed.list);
  if (listed === undefined || isSigned?.(signed.list, signed.signature) === false)
    return [{ ...fault, found: changed }];
  const there = new Map(partitions.map((partition) => [partition.name, partition]));
  const attached = await attachedAmong(client, [...listed.keys()]);
  return [...new Set([...listed.keys(), ...there.keys()])].flatMap((subject): readonly RecordFault[] => {
    const partition = there.get(subject);
    const about = { check: "detachedList", subject } as const;
    if (partition === undefined)
      return [{ ...about, expected: "detached", found: attached.has(subject) ? "attached" : "nothing" }];
    const was = listed.get(subject);
    const is = hashOf(partition);
    if (is === was) return [];
    if (was === undefined) return [{ ...about, expected: "nothing", found: "a record" }];
    return [
      {
        ...about,
        expected: was === null ? "no record" : `a record with SHA-256 ${was.slice(0, 16)}`,
        found: is === null ? "no record" : "another record",
      },
    ];
  });
}

function readList(text: string): ReadonlyMap<string, string | null> | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const pairs = list instanceof Object ? Object.entries(list) : undefined;
    return pairs?.every(([, sum]) => sum === null || typeof sum === "string") ? new Map(pairs) : undefined;
  } catch {
    return undefined;
  }
}

async function attachedAmong(client: Client, names: readonly string[]): Promise<ReadonlySet<string>> {
  const text = "select name from partitions where name = any(array(select json_array_elements_text($1::json)))";
  const rows = await queryRows(client, { text, values: [JSON.stringify(names)] });
  return new Set(rows.map(([name]) => name ?? ""));
}

/** True when balances of detached entries are kept, and their entries are neither here nor in a detached partition. */
async function areBalancesAlone(client: Client): Promise<boolean> {
  const [row] = await queryRows(client, {
    text: `select exists (select from (select account_id, version from detached_balances limit 100) b
      left join lateral (select 1 as found from entries where account_id = b.account_id and version = b.version limit 1) e on true
      where e.found is null) and not exists (select from detached_partitions where parent = 'entries')`,
  });
  return row?.[0] === "t";
}

/** In the transaction that attaches, before anything else of it: one of them at a time. */
export async function lockList(client: Client): Promise<void> {
  await client.query("lock table detached_partitions in share row exclusive mode");
}

/** Before a detach or attach. @throws where records and list differ: the list that it signs would hide it. */
export async function assertListed(client: Client, signer: RecordSigner): Promise<void> {
  const [fault] = await findListFaults(client, await readDetached(client), signer.isSigned);
  if (fault === undefined) return;
  const { subject, expected, found } = fault;
  throw new Error(
    `what is detached is not what was recorded: ${subject}: expected ${expected}, found ${found}. ${advice}`,
  );
}

/** The signed list of what is detached, and of what is about to be, as JSON for `keep_detached_list`, which compares it with the records. */
export async function signList(
  client: Client,
  signer: RecordSigner,
  added: readonly DetachedPartition[] = [],
): Promise<string> {
  const list = writeList([...(await readDetached(client)).partitions, ...added]);
  return JSON.stringify({ list, signature: await signer.sign(list) } satisfies SignedList);
}

/** Advice for any of them. */
export const advice =
  "Where the provider's key was changed, give the former public key with --public-key. Otherwise take the rows of detached_partitions, and the value detached_partitions of service_state, from a backup made since the last titian database detach or attach; attaching the period compares all of it.";

/** Sentences for what cannot be said without a key, and for partitions that earlier releases detached. */
export function findUnchecked({ partitions, signed }: Detached, hasKey: boolean): readonly string[] {
  if (partitions.length === 0) return [];
  const unrecorded = partitions.filter(({ record }) => record === undefined).length;
  const unchecked: string[] = [];
  if (!hasKey)
    unchecked.push(
      "whether the records of detached partitions, and the list of them, are signed by the provider: set TITIAN_PROVIDER_KEY, or give its public key with --public-key",
    );
  if (unrecorded > 0)
    unchecked.push(
      `what ${unrecorded} detached partitions held: an earlier release detached them, and recorded nothing`,
    );
  if (signed === undefined)
    unchecked.push(
      "whether records of detached partitions were removed: there is no signed list of them before the next titian database detach or attach",
    );
  return unchecked;
}
