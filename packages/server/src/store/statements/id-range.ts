/**
 * Rows of given ids in a partitioned table. Their range stands beside them: PostgreSQL leaves partitions alone by a range
 * of parameters, and not by a list of them.
 */
import { uuidArray } from "./binary-arrays.ts";

/** A condition over `$1` to `$3`, the values of `idValues`. */
export const hasId = (column: string) => `${column} = any($1::uuid[]) and ${column} between $2::uuid and $3::uuid`;

/** At least one id. */
export function idValues(ids: readonly string[]): readonly [Buffer, string, string] {
  const [first = ""] = ids;
  const [lowest, highest] = ids.reduce(
    ([low, high], id) => [id < low ? id : low, id > high ? id : high],
    [first, first],
  );
  return [uuidArray(ids), lowest, highest];
}
