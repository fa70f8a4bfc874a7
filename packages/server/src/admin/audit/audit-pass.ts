/** One pass of the audit: sessions take ranges of ids in turn, and each reads its own in slices. */
import { highestId } from "../../basics/ids.ts";
import type { AuditPass } from "../../store/audit/checks/check.ts";
import type { Finding } from "../../store/audit/finding.ts";
import type { AuditSession } from "../../store/audit/session.ts";
import type { SizedSlice } from "../../store/audit/slices.ts";
import { isOverdue } from "../../store/audit/statement-errors.ts";
import { AdminError } from "../result.ts";

export interface AuditProgress {
  readonly pass: AuditPass;
  /** Accounts, entries or holds, about so many looked at so far. */
  readonly rows: number;
}

export interface Pass {
  readonly pass: AuditPass;
  readonly from: string;
  /** The pass is over when it has reached this id. */
  readonly to: string;
  /** No slice goes beyond it; absent: the last one may go beyond the pass. */
  readonly limit?: string;
  /** True: accounts and holds are looked at as journals touch them, not gone through. */
  readonly touched: boolean;
}

export interface PassOptions {
  /** Most findings wanted of a check. */
  readonly limit: number;
  readonly sliceRows: number | undefined;
  /** Told what each slice found; false: enough was found. */
  readonly onChecked: (progress: AuditProgress, found: readonly Finding[]) => boolean;
}

/** An account is compared with up to 500 entries. */
const defaultSliceRows: Readonly<Record<AuditPass, number>> = { accounts: 2_000, journals: 50_000, holds: 20_000 };
/** Number of journals whose accounts, holds and bulks are looked at as well. */
const defaultTouchedRows = 10_000;
/** After a slice that was read in time; twice as large is tried after six of them. */
const growth = 1.125;
/** A slice this small that is still cut off means the database is in trouble, not that the slice is large. */
const sliceRowsMin = 100;

/** Runs a pass; rows that are committed behind its slices meanwhile belong to the next audit. */
export async function runPass(sessions: readonly AuditSession[], pass: Pass, options: PassOptions): Promise<void> {
  const state: PassState = { ...pass, taken: pass.from, rows: 0, over: undefined };
  const take = takeInTurn(state);
  const results = await Promise.allSettled(
    sessions.map(async (session) => {
      try {
        await readSlices(session, state, take, options);
      } catch (error) {
        state.over ??= "failed";
        throw error;
      }
    }),
  );
  for (const result of results) if (result.status === "rejected" && state.over !== "enough") throw result.reason;
}

interface PassState extends Pass {
  /** Up to which id slices have been taken. */
  taken: string;
  rows: number;
  /** Reason why the other sessions end behind their slices. Once enough is found, a failure of one does not count. */
  over: "enough" | "failed" | undefined;
}

type Take = (find: (from: string) => Promise<SizedSlice>) => Promise<SizedSlice | undefined>;

/** Gives each its slice above the one before: two never find the same one. Undefined: there is none any more. */
function takeInTurn(state: PassState): Take {
  let turn: Promise<unknown> = Promise.resolve();
  return (find) => {
    const mine = turn.then(async () => {
      if (state.over || state.taken >= state.to) return undefined;
      const slice = await find(state.taken);
      state.taken = slice.to;
      return slice;
    });
    turn = mine.catch(() => undefined);
    return mine;
  };
}

async function readSlices(session: AuditSession, state: PassState, take: Take, options: PassOptions): Promise<void> {
  const { pass, touched } = state;
  const { limit, sliceRows = touched ? defaultTouchedRows : defaultSliceRows[pass], onChecked } = options;
  const finder = session.slices(pass);
  let size = sliceRows;
  /** Again, for smaller slices, until it is done in time. */
  const inTime = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        size = smallerThan(size, error);
      }
    }
  };
  while (!state.over) {
    const taken = await take((from) => inTime(() => finder.next(from, state.limit ?? highestId, size)));
    if (taken === undefined) return;
    let next: SizedSlice | undefined = taken;
    // The last one may go far beyond the pass: what is read of it in parts ends with the pass.
    for (let reached = taken.from; reached < taken.to && reached < state.to && !state.over; ) {
      const { slice, found } = await inTime(async () => {
        const some = next ?? (await finder.next(reached, taken.to, size));
        next = undefined;
        return { slice: some, found: await session.check(some, { limit, touched }) };
      });
      reached = slice.to;
      state.rows += slice.rows;
      size = Math.min(Math.ceil(size * growth), sliceRows);
      if (!onChecked({ pass, rows: state.rows }, found)) state.over = "enough";
    }
  }
}

/** @throws the error unless it says that a statement was not over in time, or where slices are small already. */
function smallerThan(size: number, error: unknown): number {
  if (!isOverdue(error)) throw error;
  if (size > sliceRowsMin) return Math.max(sliceRowsMin, size >> 1);
  throw timedOut("not even a small slice was read", error);
}

function timedOut(what: string, cause: unknown): AdminError {
  return new AdminError(`The audit timed out: ${what} within 2 s. Try again later.`, { cause });
}

/** Waits for a statement that is not read in slices. @throws an AdminError where it was not over in time. */
export async function readInTime<Value>(reading: Promise<Value>, what: string): Promise<Value> {
  return reading.catch((error: unknown) => {
    throw isOverdue(error) ? timedOut(`${what} were not read`, error) : error;
  });
}
