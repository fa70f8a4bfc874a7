/** Select lists with named columns: a row is an array, read by the positions of these names. */

export interface SelectList<Name extends string> {
  readonly sql: string;
  /** The same list of the table, or the alias, of this name. */
  of(table: string): string;
  /** Position of each column in a row. */
  readonly at: Readonly<Record<Name, number>>;
}

type Names<List extends string> = List extends `${infer Name}, ${infer Rest}` ? Name | Names<Rest> : List;

/** `lists`: names, each list with ", " between them. `times`: columns that are read as epoch milliseconds. */
export function selectList<List extends string, Time extends string = never>(
  lists: readonly List[],
  times: readonly Time[] = [],
): SelectList<Names<List> | Time> {
  const names = lists.flatMap((list) => list.split(", "));
  const of = (prefix: string) =>
    [...names.map((name) => prefix + name), ...times.map((name) => epochMs(prefix + name))].join(", ");
  const positions = [...names, ...times].map((name, position) => [name, position]);
  return {
    sql: of(""),
    of: (table) => of(`${table}.`),
    at: Object.fromEntries(positions) as Record<Names<List> | Time, number>,
  };
}

/** `date_part` and not `extract`, whose numeric made reading a hold a twentieth slower; milliseconds come out exact. */
export function epochMs(time: string): string {
  return `(date_part('epoch', ${time}) * 1000)::bigint`;
}
