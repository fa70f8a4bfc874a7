/** Keys of requests, each bound to the cell that decides about it (docs/adr/0095-bound-keys.md). In home's database alone. */
import type { Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";
import { intArray, timeArray, uuidArray } from "../../statements/binary-arrays.ts";
import { firstNumberKey } from "./request-keys.ts";
import { epochMs } from "../../statements/select-list.ts";

export interface BoundKey {
  readonly key: string;
  readonly cell: number;
  /** Business time (epoch ms). */
  readonly boundAt: number;
}

/**
 * Binds those of the keys that are free, in their order: two nodes that bind the same ones meet in one order. Waits for those who bind one
 * of them. Answers how many were free.
 */
export async function bindFreeKeys(pool: Pool, keys: readonly BoundKey[]): Promise<number> {
  const inOrder = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const [row] = await queryRows(pool, {
    name: "bind-free-keys",
    text: `with bound as (
        insert into bound_keys (key, cell, bound_at) select key, cell, bound_at
          from (select unnest($1::uuid[]) as key, unnest($2::int[]) as cell, unnest($3::timestamptz[]) as bound_at) given
        on conflict do nothing returning 1)
      select count(*) from bound`,
    values: [
      uuidArray(inOrder.map(({ key }) => key)),
      intArray(inOrder.map(({ cell }) => cell)),
      timeArray(inOrder.map(({ boundAt }) => boundAt)),
    ],
  });
  return Number(row?.[0]);
}

/** Those of the keys that are bound. */
export async function readBoundKeys(pool: Pool, keys: readonly string[]): Promise<readonly BoundKey[]> {
  const rows = await queryRows(pool, {
    name: "read-bound-keys",
    text: `select requested.key, found.cell, ${epochMs("found.bound_at")} from unnest($1::uuid[]) requested (key)
      cross join lateral (select cell, bound_at from bound_keys where key = requested.key limit 1) found`,
    values: [uuidArray(keys)],
  });
  return rows.map(([key, cell, boundAt]) => ({ key: key as string, cell: Number(cell), boundAt: Number(boundAt) }));
}

/** Binds an external id anew, unless it is bound otherwise by now. True: it was. */
export async function rebindKey(pool: Pool, from: BoundKey, to: Omit<BoundKey, "key">): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "rebind-key",
    text: `update bound_keys set cell = $4::int, bound_at = $5::timestamptz
      where key = $1::uuid and cell = $2::int and bound_at = $3::timestamptz returning 1`,
    values: [from.key, from.cell, timeText(from.boundAt), to.cell, timeText(to.boundAt)],
  });
  return rows.length === 1;
}

/** External ids bound before a time (epoch ms), the oldest first, behind the last one of the page before. */
export async function listOldBindings(
  pool: Pool,
  before: number,
  after: BoundKey | undefined,
  limit: number,
): Promise<readonly BoundKey[]> {
  const rows = await queryRows(pool, {
    name: "list-old-bindings",
    text: `select key, cell, ${epochMs("bound_at")} from bound_keys
      where key < '${firstNumberKey}' and bound_at < $1::timestamptz and (bound_at, key) > ($2::timestamptz, $3::uuid)
      order by bound_at, key limit $4::int`,
    values: [timeText(before), timeText(after?.boundAt ?? 0), after?.key ?? noKey, limit],
  });
  return rows.map(([key, cell, boundAt]) => ({ key: key as string, cell: Number(cell), boundAt: Number(boundAt) }));
}

const noKey = "00000000-0000-0000-0000-000000000000";

/** Deletes bindings of external ids but those that were bound anew since. Answers how many. */
export async function deleteBindings(pool: Pool, bindings: readonly BoundKey[]): Promise<number> {
  const inOrder = bindings.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await queryRows(pool, {
    name: "delete-bindings",
    text: `delete from bound_keys k
      using (select unnest($1::uuid[]) as key, unnest($2::int[]) as cell, unnest($3::timestamptz[]) as bound_at) given
      where k.key = given.key and k.cell = given.cell and k.bound_at = given.bound_at returning 1`,
    values: [
      uuidArray(inOrder.map(({ key }) => key)),
      intArray(inOrder.map(({ cell }) => cell)),
      timeArray(inOrder.map(({ boundAt }) => boundAt)),
    ],
  });
  return rows.length;
}

const timeText = (ms: number) => new Date(ms).toISOString();
