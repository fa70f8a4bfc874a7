/** Results of a rail of files, read by the holder of its lease alone: what each lease acknowledges stands in the database. */
import {
  elapsedSince,
  momentOf,
  type BadResultLine,
  type Clock,
  type ExportLease,
  type Moment,
  type RailRecords,
  type RailResult,
} from "@titian/server/rails";
import type { Volume } from "../files/volume.ts";
import { followResultFiles, type ResultFiles } from "./result-files.ts";

export interface Results {
  /** Reads the next page of what is new, and answers how many results it has. Undefined: another node does. */
  read(): Promise<number | undefined>;
  list(max: number): Promise<readonly RailResult[]>;
  acknowledge(results: readonly RailResult[]): Promise<void>;
  waiting(): Promise<number>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface ResultsDeps {
  readonly volume: Volume;
  readonly folder: string;
  readonly records: Pick<RailRecords, "origin" | "positions">;
  /** Undefined: this instance has none. */
  readonly lease: () => ExportLease | undefined;
  readonly clock: Clock;
  /** A caller of this instance waits for the result. */
  readonly isAwaitedHere: (referenceNo: string) => boolean;
  /** Without a lease, and nothing is recorded. */
  readonly readsOnly: () => boolean;
  readonly onBadLine: (line: BadResultLine) => void;
}

interface Reading {
  readonly lease: ExportLease | undefined;
  readonly files: ResultFiles;
  /** Results that the instance whose caller waits may record, and since when. */
  readonly left: Map<string, Moment>;
}

/** Long enough for an instance that lives; a caller of one that does not is answered by nobody. */
const leftForMs = 2_000;

/** Number of unacknowledged results that are kept; the others are read once these are acknowledged. */
const unacknowledgedMax = 10_000;

export function createResults(deps: ResultsDeps): Results {
  const { volume, folder, records, lease, clock, readsOnly, onBadLine } = deps;
  const inTurn = createTurns();
  /** Lines that are kept, or only logged, which the lease that comes keeps: one is looked at again and again when a file is none. */
  const kept = new Set<string>();
  let reading: Reading | undefined;

  const setAside = (by: ExportLease | undefined) => async (line: BadResultLine) => {
    const place = `${by === undefined ? "logged" : "kept"} ${line.line} ${line.file}`;
    if (kept.has(place)) return;
    const isNew = by === undefined || (await by.setLineAside(line));
    kept.add(place);
    if (isNew) onBadLine(line);
  };
  /** Reading by the lease that this instance has now: another one has read and acknowledged meanwhile. */
  const current = async (): Promise<Reading | undefined> => {
    const by = lease();
    if (by === undefined && !readsOnly()) {
      reading = undefined;
      return undefined;
    }
    if (reading === undefined || reading.lease !== by) {
      const { ledgerId } = await records.origin();
      const files = followResultFiles({ volume, folder, ledgerId, setAside: setAside(by) }, await records.positions());
      reading = { lease: by, files, left: new Map() };
    }
    return reading;
  };
  const readNew = async (): Promise<number | undefined> => {
    const now = await current();
    // An acknowledgement frees capacity for more.
    if (now === undefined || now.files.unacknowledged().length >= unacknowledgedMax) return now && 0;
    try {
      const found = await now.files.read();
      if (found.length > 0) await recordReports(deps, now, found);
      return found.length;
    } catch (error) {
      // Results that were read and are not recorded are read again.
      reading = undefined;
      throw error;
    }
  };
  const acknowledge = async (done: readonly RailResult[]) => {
    const now = reading;
    if (now === undefined || now.lease === undefined || now.lease !== lease()) throw new Error(leaseLost);
    const keys = new Set(done.map(keyOf));
    const lines = now.files.unacknowledged().filter(({ result }) => keys.has(keyOf(result)));
    if (lines.length === 0) return;
    const by = now.lease;
    await now.files.acknowledge(lines, (positions) => keep(by.acknowledge(positions)));
    for (const { result } of lines) now.left.delete(result.referenceNo);
  };
  const isDue = ({ referenceNo }: RailResult) => {
    const leftAt = reading?.left.get(referenceNo);
    return leftAt === undefined || elapsedSince(leftAt, clock) >= leftForMs;
  };
  const listAll = async () =>
    (await readNew()) === undefined ? [] : (reading?.files.unacknowledged() ?? []).map(({ result }) => result);
  return {
    read: () => inTurn(readNew),
    list: (max) => inTurn(async () => (await listAll()).filter(isDue).slice(0, max)),
    acknowledge: (done) => (done.length === 0 ? Promise.resolve() : inTurn(() => acknowledge(done))),
    waiting: () => inTurn(async () => (await listAll()).length),
    close: () => inTurn(async () => undefined),
  };
}

/** Those whose caller waits at another instance are left to it. */
async function recordReports(
  { isAwaitedHere, clock }: Pick<ResultsDeps, "isAwaitedHere" | "clock">,
  { lease, left }: Reading,
  found: readonly RailResult[],
): Promise<void> {
  const awaited = lease === undefined ? [] : await lease.recordReports(found);
  if (awaited === undefined) throw new Error(leaseLost);
  for (const referenceNo of awaited) if (!isAwaitedHere(referenceNo)) left.set(referenceNo, momentOf(clock));
}

const leaseLost = "Another node has the rail's lease: it reads the results that are not acknowledged again.";

async function keep(recorded: Promise<boolean>): Promise<void> {
  if (!(await recorded)) throw new Error(leaseLost);
}

/** One after the other; what fails fails alone. */
function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Reported twice, a result is one. */
function keyOf({ referenceNo, state }: RailResult): string {
  return `${state.kind} ${referenceNo}`;
}
