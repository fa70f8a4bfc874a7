/** A walk over requests, accepted and rejected, in the order of their ids, which writes the words of those that it has not written yet. */
import type { Secrets } from "../../basics/secrets.ts";
import type { MayGoOn } from "../../jobs/job.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { listSearchedIds } from "../../store/tables/search/search-words.ts";
import { writeWords } from "./write-words.ts";

/** Ids that are read at once, and records whose words are written at once. */
const page = 2_000;
const slice = 250;
/** Remembered ids: about 40 MB. Those that are forgotten are written again. */
const writtenMax = 400_000;

export interface Walked {
  /** Everything up to this id that could be read has its words. */
  readonly reached: string;
  readonly isDone: boolean;
  /** Number of those that were written. */
  readonly records: number;
}

export interface WalkTerms {
  /** Everything above this id. */
  readonly from: string;
  /** Records that may be written. */
  readonly budget: number;
  /** Given where the walk begins at the position: up to this id no more can come, and the position may move. */
  readonly safe?: string;
  readonly mayGoOn: MayGoOn;
}

interface Walker {
  walk(terms: WalkTerms): Promise<Walked>;
  /** True: above this id is something that it has not written. */
  misses(from: string): Promise<boolean>;
  /** Before each run; what was written in another generation counts no more. True: it is another one. */
  begin(generation: number): boolean;
  /** Ids up to the position, which no walk reads any more, and the oldest of too many. */
  forget(position: string): void;
}

interface WalkerDeps {
  readonly pool: StatementPool;
  readonly secrets: Secrets;
  /** Holder of the lease. */
  readonly holder: string;
}

export function createWalker({ pool, secrets, holder }: WalkerDeps): Walker {
  const written = new Set<string>();
  let current = 0;
  const write = async (ids: readonly string[], position: string | undefined) => {
    await writeWords({ pool, secrets }, { holder, generation: current }, ids, position);
    for (const id of ids) written.add(id);
  };
  return {
    walk: async ({ from, budget, safe, mayGoOn }) => {
      let reached = from;
      let records = 0;
      for (;;) {
        const ids = await listSearchedIds(pool, reached, page);
        const missing = ids.filter((id) => !written.has(id));
        for (let at = 0; at < missing.length; ) {
          if (records >= budget || !(await mayGoOn())) return { reached, isDone: false, records };
          const wanted = missing.slice(at, at + Math.min(slice, budget - records));
          const last = wanted.at(-1) ?? reached;
          await write(wanted, safe !== undefined && last < safe ? last : safe);
          records += wanted.length;
          at += wanted.length;
          reached = last;
        }
        reached = ids.at(-1) ?? reached;
        const isDone = ids.length < page;
        // Everything that could still come up to there is there now, and has been read.
        if (isDone && safe !== undefined) await write([], safe);
        if (isDone || !(await mayGoOn())) return { reached, isDone, records };
      }
    },
    misses: async (from) => {
      const ids = await listSearchedIds(pool, from, page);
      return ids.length === page || ids.some((id) => !written.has(id));
    },
    begin: (generation) => {
      const isOther = generation !== current;
      if (isOther) written.clear();
      current = generation;
      return isOther;
    },
    forget: (position) => {
      let over = written.size - writtenMax;
      for (const id of written) if (id <= position || (over -= 1) >= 0) written.delete(id);
    },
  };
}
