/**
 * A walk over requests, accepted and rejected, in the order of their ids, which writes the words of those that it has not written
 * yet. Seconds of which the database has as many ids as were written are passed over.
 */
import { idAt } from "../../basics/ids.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { MayGoOn } from "../../jobs/job.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { countSearchedIds, listSearchedIds } from "../../store/tables/search/search-words.ts";
import { createWrittenIds, secondOf } from "./written-ids.ts";
import { writeWords } from "./write-words.ts";

/** Ids that are read at once, and records whose words are written at once. */
const page = 500;
const slice = 250;
/**
 * Seconds that are compared by their counts; where more have gone by, all are read. First a few: a job that is behind by many
 * records finds what it has not written there, and need not count the rest.
 */
const compared = { first: 2, times: 4, most: 3_600 };

export interface Walked {
  /** Everything up to this id that could be read has its words. */
  readonly reached: string;
  readonly isDone: boolean;
  /** Number of those that were written. */
  readonly records: number;
}

/** Ids where a walk begins. */
export interface Start {
  /** Everything up to this id was written. */
  readonly from: string;
  /** The first ones above it. */
  readonly ids: readonly string[];
  /** True: more ids than these, or one of them is not written. */
  readonly isNeeded: boolean;
}

interface WalkTerms {
  readonly start: Start;
  /** Records that may be written. */
  readonly budget: number;
  /** Given where the walk begins at the position: up to this id no more can come, and the position may move. */
  readonly safe?: string;
  readonly mayGoOn: MayGoOn;
}

interface Walker {
  /** Looks for what was not written above this id. `now`: the database's time (epoch ms). */
  find(from: string, now: number): Promise<Start>;
  walk(terms: WalkTerms): Promise<Walked>;
  /** Before each run; what was written in another generation counts no more. True: it is another one. */
  begin(generation: number): boolean;
  /** Ids before the position are walked over no more. */
  forgetBefore(position: string): void;
}

interface WalkerDeps {
  readonly pool: StatementPool;
  readonly secrets: Secrets;
  /** Holder of the lease. */
  readonly holder: string;
}

export function createWalker({ pool, secrets, holder }: WalkerDeps): Walker {
  const written = createWrittenIds();
  let current = 0;
  const write = async (ids: readonly string[], position: string | undefined) => {
    await writeWords({ pool, secrets }, { holder, generation: current }, ids, position);
    for (const id of ids) written.add(id);
  };

  /** Start of the first second of which the database has other ids than were written; no earlier than `from`. */
  const passWritten = async (from: string, now: number): Promise<string> => {
    const first = secondOf(from);
    const end = Math.floor(now / 1_000) + 1;
    if (end <= first || end - first > compared.most) return from;
    let second = first;
    for (let size = compared.first; second < end; size *= compared.times) {
      const bounds = Array.from({ length: Math.min(size, end - second) + 1 }, (_, index) =>
        idAt((second + index) * 1_000),
      );
      const counts = await countSearchedIds(pool, bounds);
      const other = counts.findIndex((count, index) => count !== written.inSecond(second + index));
      second += other === -1 ? counts.length : other;
      if (other !== -1) break;
    }
    return second === first ? from : idAt(second * 1_000);
  };

  return {
    find: async (wanted, now) => {
      const from = await passWritten(wanted, now);
      const ids = await listSearchedIds(pool, from, page);
      return { from, ids, isNeeded: ids.length === page || ids.some((id) => !written.has(id)) };
    },
    walk: async ({ start, budget, safe, mayGoOn }) => {
      let reached = start.from;
      let { ids } = start;
      let records = 0;
      for (;;) {
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
        ids = await listSearchedIds(pool, reached, page);
      }
    },
    begin: (generation) => {
      const isOther = generation !== current;
      if (isOther) written.clear();
      current = generation;
      return isOther;
    },
    forgetBefore: (position) => written.forgetBefore(position),
  };
}
