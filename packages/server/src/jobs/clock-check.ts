/**
 * Compares this node's clock with the database's (spec D10): a node that is days ahead would expire all holds. Real time
 * is compared; the moved time of the sandbox is the same on all nodes.
 */
import type { Clock } from "../basics/clock.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { readDatabaseClock } from "../store/postgres/database-clock.ts";

export interface ClockCheck {
  /**
   * True when the clocks differ by 5 s at most, for certain: a database that is slow to answer leaves it open.
   * @throws when the database does not answer.
   */
  agrees(): Promise<boolean>;
  /** By how much this node is ahead of the database now (ms); undefined until they were compared. */
  differenceMs(): number | undefined;
}

export interface ClockCheckDeps {
  readonly clock: Pick<Clock, "real" | "monotonic">;
  readonly pool: StatementPool;
  /** Called when the clocks begin to differ, and when they agree again. */
  readonly onChange: (agrees: boolean, differenceMs: number) => void;
}

const differenceMaxMs = 5_000;
/**
 * Time for which a comparison counts; a jump of this node's clock shows at once, because time is counted on without it.
 */
const validMs = 1_000;

interface Compared {
  /** The database's time less this node's monotonic time, and how wrong that may be: half a round trip. */
  readonly offset: number;
  readonly uncertainty: number;
  /** Monotonic time. */
  readonly at: number;
}

export function createClockCheck({ clock, pool, onChange }: ClockCheckDeps): ClockCheck {
  let latest: Compared | undefined;
  let comparing: Promise<Compared> | undefined;
  let agreed = true;

  const compare = async (): Promise<Compared> => {
    const before = clock.monotonic();
    const time = await readDatabaseClock(pool);
    const at = clock.monotonic();
    latest = { offset: time - (before + at) / 2, uncertainty: (at - before) / 2, at };
    return latest;
  };
  const compared = async (): Promise<Compared> => {
    if (latest && clock.monotonic() - latest.at < validMs) return latest;
    comparing ??= compare().finally(() => (comparing = undefined));
    return comparing;
  };
  const differenceOf = ({ offset }: Compared) => clock.real() - clock.monotonic() - offset;

  return {
    agrees: async () => {
      const found = await compared();
      const difference = differenceOf(found);
      const apart = Math.abs(difference);
      const agrees = apart + found.uncertainty <= differenceMaxMs;
      const differs = apart - found.uncertainty > differenceMaxMs;
      if (agreed ? differs : agrees) {
        agreed = agrees;
        onChange(agrees, difference);
      }
      return agrees;
    },
    differenceMs: () => latest && differenceOf(latest),
  };
}
