/** Names of a call's free-form members, by its table of fields. */
import type { Fields } from "../fields/field-type.ts";

/** Names of free-form members: of the top object, and of the entries of the lists in it. */
export interface FreeFormNames {
  readonly members: readonly string[];
  /** Lists whose entries have free-form members, and the names of those. */
  readonly lists: readonly string[];
  readonly entryMembers: ReadonlyMap<string, readonly string[]>;
}

const namesOf = (fields: Fields): string[] =>
  Object.entries(fields)
    .filter(([, { type }]) => type.kind === "any")
    .map(([name]) => name);

const known = new WeakMap<Fields, FreeFormNames>();

export function freeFormNames(fields: Fields): FreeFormNames {
  const cached = known.get(fields);
  if (cached !== undefined) return cached;
  const entryMembers = new Map<string, readonly string[]>();
  for (const [name, { type }] of Object.entries(fields)) {
    if (type.kind !== "list") continue;
    const members = namesOf(type.entry);
    if (members.length > 0) entryMembers.set(name, members);
  }
  const names = { members: namesOf(fields), lists: [...entryMembers.keys()], entryMembers };
  known.set(fields, names);
  return names;
}
