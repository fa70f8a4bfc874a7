/** Adoption as an operator asks for it: of some numbers, or of all that is open. */
import { withRights } from "../../admin/administration-rights.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { adoptAll, adoptNumber } from "../../rails/adoption/adopt.ts";
import type { AdoptionResult } from "../../rails/adoption/adopt-deps.ts";
import type { Core } from "../core.ts";

export interface AdoptionInput {
  /** Absent: all that are open. */
  readonly numbers?: readonly string[];
  /** Text of 1 to 500 characters, none of them a control character. */
  readonly reason: string;
}

type AdoptLinesDeps = Pick<Core, "actEngine" | "administrationPool" | "cell" | "clock" | "pool">;

/** @throws AdminError where the database's role lacks rights of administration. */
export async function* adoptLines(
  { actEngine: engine, administrationPool: database, clock, pool: reads, cell }: AdoptLinesDeps,
  rail: RailName,
  { numbers, reason }: AdoptionInput,
): AsyncGenerator<AdoptionResult> {
  const deps = { engine, clock, reads, database, cell };
  const results = numbers === undefined ? adoptAll(deps, rail, reason) : adoptEach(numbers);
  async function* adoptEach(wanted: readonly string[]) {
    for (const number of wanted) yield* await adoptNumber(deps, rail, number, reason);
  }
  for (;;) {
    const next = await withRights(reads, () => results.next());
    if (next.done === true) return;
    yield next.value;
  }
}
