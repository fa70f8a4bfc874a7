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
  /** The cell that it was bound to until then. */
  readonly previous?: number;
}

const bindingsGiven =
  "(select unnest($1::uuid[]) as key, unnest($2::int[]) as cell, unnest($3::timestamptz[]) as bound_at) given";
const isAsGiven = "k.key = given.key and k.cell = given.cell and k.bound_at = given.bound_at";

/** In the order of the keys. */
function bindingValues(bindings: readonly BoundKey[]): readonly Buffer[] {
  const inOrder = bindings.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return [
    uuidArray(inOrder.map(({ key }) => key)),
    intArray(inOrder.map(({ cell }) => cell)),
    timeArray(inOrder.map(({ boundAt }) => boundAt)),
  ];
}

/**
 * Binds those of the keys that are free, in their order: two nodes that bind the same ones meet in one order. Waits for those who bind one
 * of them. Answers how many were free.
 */
export async function bindFreeKeys(pool: Pool, keys: readonly BoundKey[]): Promise<number> {
  const [row] = await queryRows(pool, {
    name: "bind-free-keys",
    text: `with bound as (
        insert into bound_keys (key, cell, bound_at) select key, cell, bound_at from ${bindingsGiven}
        on conflict do nothing returning 1)
      select count(*) from bound`,
    values: bindingValues(keys),
  });
  return Number(row?.[0]);
}

/** Those of the keys that are bound. */
export async function readBoundKeys(pool: Pool, keys: readonly string[]): Promise<readonly BoundKey[]> {
  const rows = await queryRows(pool, {
    name: "read-bound-keys",
    text: `select requested.key, found.cell, ${epochMs("found.bound_at")}, found.previous from unnest($1::uuid[]) requested (key)
      cross join lateral (select cell, bound_at, previous from bound_keys where key = requested.key limit 1) found`,
    values: [uuidArray(keys)],
  });
  return rows.map(([key, cell, boundAt, previous]) => ({
    key: key as string,
    cell: Number(cell),
    boundAt: Number(boundAt),
    ...(previous !== null && { previous: Number(previous) }),
  }));
}

/** Binds keys anew, but those that are bound otherwise by now. Answers how many it were. */
export async function rebindKeys(pool: Pool, from: readonly BoundKey[], to: Omit<BoundKey, "key">): Promise<number> {
  const rows = await queryRows(pool, {
    name: "rebind-keys",
    text: `update bound_keys k set cell = $4::int, bound_at = $5::timestamptz, previous = case when k.cell <> $4::int then k.cell end
      from ${bindingsGiven} where ${isAsGiven} returning 1`,
    values: [...bindingValues(from), to.cell, timeText(to.boundAt)],
  });
  return rows.length;
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
  const rows = await queryRows(pool, {
    name: "delete-bindings",
    text: `delete from bound_keys k using ${bindingsGiven} where ${isAsGiven} returning 1`,
    values: bindingValues(bindings),
  });
  return rows.length;
}

const timeText = (ms: number) => new Date(ms).toISOString();
