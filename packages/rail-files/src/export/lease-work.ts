/** Work with the lease of a rail: to take and renew it, to compare the directory, and to write what was asked for. */
import {
  businessDay,
  type Clock,
  dateOf,
  type ExportLease,
  elapsedSince,
  type Moment,
  momentOf,
  type RailRecords,
} from "@titian/server/rails";
import { type Volume, VolumeSilent } from "../files/volume.ts";
import { type InstructionFile, openInstructionFile } from "./instruction-file.ts";
import { reasonToStop } from "./reasons.ts";
import { type Review, reviewDirectory } from "./review.ts";

export interface LeaseWorkDeps {
  readonly directory: string;
  readonly volume: Volume;
  readonly clock: Clock;
  readonly records: RailRecords;
  readonly events: ExportEvents;
  /** Their lines are durable. `areAwaited`: a caller waits for the result of one. */
  readonly onWritten: (numbers: readonly string[], areAwaited: boolean) => void;
}

export interface ExportEvents {
  taken(fence: number): void;
  /** Takes the review of the lease that was just taken, or looked at again. `stopsBecause`: nothing is exported. */
  reviewed(review: Review, stopsBecause: string | undefined): void;
  /** Nothing is exported by this instance until it has the lease again. */
  failed(error: unknown): void;
}

/** A lease that is not renewed ends after so long, by the database's clock. */
const leaseMs = 3_000;
const renewEveryMs = 800;
/** A large directory rests so many times as long as its review took. */
const reviewEveryMs = 3_000;
const restsPerReview = 4;

export interface Held {
  readonly lease: ExportLease;
  readonly file: InstructionFile;
  renewedAt: Moment;
  sequence: number;
  /** Reason why nothing must be exported; undefined: it may. */
  stopsBecause: string | undefined;
  newestDay: string;
  reviewedAt: Moment;
  nextReviewMs: number;
}

/** Undefined: another instance has it. */
export async function takeExport(deps: LeaseWorkDeps): Promise<Held | undefined> {
  const { clock, records, directory, volume, events } = deps;
  checkVolume(deps);
  const renewedAt = momentOf(clock);
  const lease = await records.takeLease(leaseMs);
  if (lease === undefined) return undefined;
  const taken = {
    lease,
    renewedAt,
    sequence: lease.sequence,
    file: openInstructionFile(volume, directory, lease.fence),
  };
  events.taken(lease.fence);
  try {
    return Object.assign(taken, await review(deps, taken));
  } catch (error) {
    await lease.giveBack().catch(() => undefined);
    throw error;
  }
}

/**
 * Renews the lease when it is time, and looks again at a directory that stops the rail: false then, nothing may be exported.
 * Undefined: an operator has opened the stopped rail, and who takes the lease compares anew.
 */
export async function keepExport(deps: LeaseWorkDeps, held: Held): Promise<boolean | undefined> {
  const { clock } = deps;
  checkVolume(deps);
  if (held.stopsBecause === undefined) {
    await renew(clock, held);
    return true;
  }
  if (!(await renewStopped(clock, held))) return undefined;
  if (elapsedSince(held.reviewedAt, clock) >= held.nextReviewMs) Object.assign(held, await review(deps, held));
  return false;
}

/** @throws VolumeSilent where another node, which may reach the directory, should have the lease */
function checkVolume({ volume }: LeaseWorkDeps): void {
  const because = volume.silentBecause();
  if (because !== undefined) throw new VolumeSilent(because);
}

/** Writes the next page of what was asked for; false: there is nothing. */
export async function writeNext({ clock, onWritten }: LeaseWorkDeps, held: Held): Promise<boolean> {
  const { rows, commit } = await held.lease.assign(held.sequence, momentOf(clock));
  if (rows.length === 0) return false;
  if (commit === undefined) throw new Error("the commit of the sequences was not confirmed");
  for (const { line } of rows) held.sequence = Math.max(held.sequence, Number(line["sequence"]));
  // This process may have slept: another one has the lease by now, and writes them.
  if (elapsedSince(held.renewedAt, clock) >= leaseMs) throw new Error("the lease has ended");
  const inTime = rows.filter(({ validUntil }) => clock.real() <= validUntil);
  if (inTime.length === 0) return true;
  const numbers = inTime.map(({ referenceNo }) => referenceNo);
  await held.file.append(
    dayOf(held, clock.now()),
    inTime.map(({ line }) => JSON.stringify(line)),
  );
  onWritten(
    numbers,
    inTime.some(({ isAwaited }) => isAwaited),
  );
  await keep(held.lease.recordWritten(numbers));
  return true;
}

export async function giveBackExport({ file, lease }: Held): Promise<void> {
  await file.close().catch(() => undefined);
  await lease.giveBack().catch(() => undefined);
}

/** None before the newest file that is there. */
function dayOf({ newestDay }: Held, now: number): string {
  const today = dateOf(businessDay(now));
  return today > newestDay ? today : newestDay;
}

type Renewed = Pick<Held, "lease" | "renewedAt" | "sequence">;

async function renew(clock: Clock, held: Renewed): Promise<void> {
  // Another one has it; or the database was replaced by a copy that has forgotten what was exported.
  if (!(await renewStopped(clock, held))) throw new Error("the lease is another's, or the database another copy");
}

async function renewStopped(clock: Clock, held: Renewed): Promise<boolean> {
  if (elapsedSince(held.renewedAt, clock) < renewEveryMs) return true;
  const at = momentOf(clock);
  const sequence = await held.lease.renew(leaseMs);
  if (sequence !== held.sequence) return false;
  held.renewedAt = at;
  return true;
}

type Reviewed = Pick<Held, "stopsBecause" | "newestDay" | "reviewedAt" | "nextReviewMs">;

async function review(deps: LeaseWorkDeps, held: Renewed): Promise<Reviewed> {
  const { directory, clock, records, events } = deps;
  const { lease } = held;
  const beganAt = momentOf(clock);
  const onProgress = () => renew(clock, held);
  const terms = { now: clock.now(), isWhole: false, isHolder: true } as const;
  const found = await reviewDirectory({ directory, records, ...terms, onProgress });
  const stopsBecause = reasonToStop(found, records.cell);
  if (stopsBecause === undefined) await lease.freeUnwritten();
  await keep(lease.stop(stopsBecause));
  events.reviewed(found, stopsBecause);
  const nextReviewMs = Math.max(reviewEveryMs, restsPerReview * elapsedSince(beganAt, clock));
  return { stopsBecause, newestDay: found.newestDay, reviewedAt: momentOf(clock), nextReviewMs };
}

async function keep(recorded: Promise<boolean>): Promise<void> {
  if (!(await recorded)) throw new Error("the lease is another's");
}
