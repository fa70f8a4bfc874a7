/** Files of results of rails with one writer: how far they are acknowledged, and the lines that nobody can understand. */
import type { Pool } from "pg";
import type { RailName } from "../../../ledger/rails/terms.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { LeaseTerms } from "./rail-leases.ts";

/** Offsets in bytes: everything before `upTo` is acknowledged, and the lines that begin at `beyond`. */
export interface ResultPosition {
  readonly upTo: number;
  readonly beyond: readonly number[];
}

/** By name of the file. */
export type ResultPositions = Readonly<Record<string, ResultPosition>>;

export async function readResultPositions(pool: Pool, rail: RailName): Promise<ResultPositions> {
  const rows = await queryRows(pool, {
    name: "read-result-positions",
    text: "select name, up_to, array_to_json(beyond) from rail_result_files where rail = $1",
    values: [rail],
  });
  return Object.fromEntries(
    rows.map(([name, upTo, beyond]) => [
      name as string,
      { upTo: Number(upTo), beyond: JSON.parse(beyond ?? "[]") as number[] },
    ]),
  );
}

/** In place of those before. False: the lease is another's. */
export async function writeResultPositions(
  pool: Pool,
  { rail, holder, fence }: LeaseTerms,
  positions: ResultPositions,
): Promise<boolean> {
  const entries = Object.entries(positions);
  const rows = await queryRows(pool, {
    name: "write-result-positions",
    text: `with lease as (
        select rail from rail_leases where rail = $1 and holder = $2::uuid and fence = $3::bigint),
      gone as (
        delete from rail_result_files where rail = $1 and name <> all($4::text[]) and exists (select from lease)),
      kept as (
        insert into rail_result_files (rail, name, up_to, beyond)
          select $1::text, name, up_to, beyond::bigint[] from lease
            cross join unnest($4::text[], $5::bigint[], $6::text[]) p (name, up_to, beyond)
          on conflict (rail, name) do update set up_to = excluded.up_to, beyond = excluded.beyond)
      select rail from lease`,
    values: [
      rail,
      holder,
      fence,
      entries.map(([name]) => name),
      entries.map(([, { upTo }]) => upTo),
      entries.map(([, { beyond }]) => `{${beyond.join(",")}}`),
    ],
  });
  return rows.length > 0;
}

/** Adds the positions of a directory that is taken over: what is known already stays. */
export async function addResultPositions(pool: Pool, rail: RailName, positions: ResultPositions): Promise<void> {
  const entries = Object.entries(positions);
  await queryRows(pool, {
    name: "add-result-positions",
    text: `insert into rail_result_files (rail, name, up_to, beyond)
      select $1::text, name, up_to, beyond::bigint[] from unnest($2::text[], $3::bigint[], $4::text[]) p (name, up_to, beyond)
      on conflict (rail, name) do nothing`,
    values: [
      rail,
      entries.map(([name]) => name),
      entries.map(([, { upTo }]) => upTo),
      entries.map(([, { beyond }]) => `{${beyond.join(",")}}`),
    ],
  });
}

export interface SetAsideLine {
  /** Name of the file. */
  readonly file: string;
  /** From 1; 0: the whole file. */
  readonly line: number;
  readonly fault: string;
  readonly text: string;
}

export interface KeptSetAsideLine extends SetAsideLine {
  readonly rail: RailName;
  /** When it was set aside (real time, epoch ms). */
  readonly at: number;
}

/** The newest first; of each the beginning of its text. */
export async function listLinesSetAside(
  pool: Pool,
  { limit, textMax }: { readonly limit: number; readonly textMax: number },
): Promise<readonly KeptSetAsideLine[]> {
  const rows = await queryRows(pool, {
    name: "list-result-lines-set-aside",
    text: `select file, line, rail, fault, left(text, $2::int), date_part('epoch', set_aside_at) * 1000
      from rail_result_lines_set_aside order by set_aside_at desc, rail, file, line desc limit $1::int`,
    values: [limit, textMax],
  });
  return rows.map(([file, line, rail, fault, text, at]) => ({
    file: file as string,
    line: Number(line),
    rail: rail as RailName,
    fault: fault as string,
    text: text as string,
    at: Number(at),
  }));
}

/** False: it is there already. */
export async function setLineAside(pool: Pool, rail: RailName, line: SetAsideLine, now: number): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "set-result-line-aside",
    text: `insert into rail_result_lines_set_aside (rail, file, line, fault, text, set_aside_at)
      values ($1, $2, $3::bigint, $4, $5, $6::timestamptz)
      on conflict (rail, file, line) do nothing returning rail`,
    values: [rail, line.file, line.line, line.fault, line.text, new Date(now).toISOString()],
  });
  return rows.length > 0;
}
