/**
 * Fills the words of the search from accepted requests and kept rejected calls, behind their commits (docs/guides/finding.md). One node does, by a
 * lease; two at once would add the same rows. Ids are made before commits, so a commit may bring an id below those that were
 * read: each run looks at the newest seconds again, and every half minute at all from the position on, which is six minutes behind.
 * What has been written is remembered: seconds that have no more ids than that are not read again.
 */
import { idAt, newId, timeOf } from "../../basics/ids.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { Job, MayGoOn } from "../../jobs/job.ts";
import { readOldestWriter } from "../../store/audit/open-writers.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import {
  readSearchPosition,
  type SearchPosition,
  takeSearchLease,
} from "../../store/tables/search/search-positions.ts";
import { listSearchedIds } from "../../store/tables/search/search-words.ts";
import { createWalker, type Start, type Walked } from "./walk-records.ts";

export interface FillDeps {
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "monotonic">;
  readonly secrets: Secrets;
  /** Age from which records are not looked for (ms). */
  readonly keepMs: number;
  /** Records a run: a bound of what the search takes from the calls. */
  readonly perSecond: number;
  /** True: more commands wait than one batch takes, and the search takes a part of that. Absent: never. */
  readonly isBusy?: () => boolean;
  /** Told after each run how old the oldest record is that has no words yet (ms; 0: none); undefined: another node fills. */
  readonly onBehind: (ms: number | undefined) => void;
}

const everyMs = 1_000;
const leaseMs = 5_000;
/** Nodes whose clocks differ by less are followed at once. */
const newestMs = 5_000;
const settleEveryMs = 30_000;
/** A node serves while its clock is up to five minutes wrong, and no command lives half a minute (ADR 0027). */
const wrongClockMs = 6 * 60_000;
/** Part of a run's records that a walk from the position may write, however many are new. */
const settleShare = 0.1;
/** Part of `perSecond` that is written while the node is busy: it is behind then in any case, and catches up. */
const busyShare = 0.2;

export function createFillSearch({ pool, clock, secrets, keepMs, perSecond, isBusy, onBehind }: FillDeps): Job {
  const holder = newId();
  const walker = createWalker({ pool, secrets, holder });
  /** Where an unfinished walk over the newest goes on. */
  let unfinished: string | undefined;
  /** When a walk from the position was last finished. */
  let settledAt = Number.NEGATIVE_INFINITY;

  const newestFrom = ({ position, now }: SearchPosition) => latest(position, unfinished ?? idAt(now - newestMs));
  const isDue = () => clock.monotonic() - settledAt >= settleEveryMs;

  const walkNewest = async (start: Start, budget: number, mayGoOn: MayGoOn): Promise<Walked> => {
    const walked = await walker.walk({ start, budget, mayGoOn });
    unfinished = walked.isDone ? undefined : walked.reached;
    return walked;
  };

  /** Always from the position: what was read before it was safe is read again. */
  const settle = async ({ position, now }: SearchPosition, budget: number, mayGoOn: MayGoOn): Promise<Walked> => {
    const oldest = await readOldestWriter(pool, now);
    const safe = oldest === undefined ? position : idAt(oldest - wrongClockMs);
    const start = await walker.find(latest(position, idAt(now - keepMs)), now);
    const walked = await walker.walk({ start, budget, safe, mayGoOn });
    settledAt = walked.isDone ? clock.monotonic() : Number.NEGATIVE_INFINITY;
    walker.forgetBefore(position);
    return walked;
  };

  /** A service at rest writes nothing, and needs no lease. */
  const isNeeded = async (start: Start, { position }: SearchPosition): Promise<boolean> =>
    start.isNeeded || (isDue() && (await listSearchedIds(pool, position, 1)).length > 0);

  const run: Job["run"] = async (mayGoOn) => {
    const known = await readSearchPosition(pool);
    if (known === undefined) return 0;
    if (walker.begin(known.generation)) {
      unfinished = undefined;
      settledAt = Number.NEGATIVE_INFINITY;
    }
    const start = await walker.find(newestFrom(known), known.now);
    if (!(await isNeeded(start, known))) return 0;
    const taken = await takeSearchLease(pool, holder, leaseMs);
    if (taken === undefined) {
      onBehind(undefined);
      return 0;
    }
    const budget = isBusy?.() === true ? Math.ceil(perSecond * busyShare) : perSecond;
    const newest = await walkNewest(start, budget, mayGoOn);
    const rest = Math.max(budget - newest.records, Math.ceil(budget * settleShare));
    const settled = isDue() ? await settle(taken, rest, mayGoOn) : undefined;
    const [oldest] = [newest, settled]
      .flatMap((walked) => (walked?.isDone === false ? [walked.reached] : []))
      .toSorted();
    onBehind(oldest === undefined ? 0 : Math.min(keepMs, Math.max(0, taken.now - timeOf(oldest))));
    return newest.records + (settled?.records ?? 0);
  };
  return { name: "fill-search", everyMs, actsOnTime: false, run };
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}
