/** A row that somebody else holds locked, by one of its names. */
export interface HeldRow {
  /** As a command's locks name it. */
  readonly name: string;
  /** Number of the transaction that holds it, as the row tells: a hint, never a truth. */
  readonly holder: string;
}

export function toHeldRows(
  names: readonly (string | null | undefined)[],
  holder: string | null | undefined,
): readonly HeldRow[] {
  return names.flatMap((name) => (name == null ? [] : [{ name, holder: holder ?? "" }]));
}
