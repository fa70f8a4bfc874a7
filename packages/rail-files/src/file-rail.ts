/**
 * A rail of files (spec D11, docs/rails.md): what is handed over is appended to one file, results are read from others,
 * and another program carries both. One process at a time works in its directory.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  RailDown,
  abortable,
  businessDay,
  dateOf,
  escapeControls,
  type Clock,
  type Log,
  type Rail,
  type RailName,
  type RailRecords,
  type RailResult,
  type RailState,
} from "@titian/server/rails";
import { createBeneficiaries } from "./beneficiaries.ts";
import { lockDirectory, type Processes } from "./directory-lock.ts";
import { checkDirectory } from "./directory-id.ts";
import { type HandedOver, openHandedOver } from "./instructions/instructions.ts";
import { followResultFiles, type ResultFiles } from "./results/result-files.ts";
import { openSetAside } from "./results/set-aside.ts";
import { acknowledgedResultsIn } from "./results/acknowledged-results.ts";

export interface FileRailOptions {
  readonly name: RailName;
  /** Made when it is not there. One process at a time works in it; another one's start fails. */
  readonly directory: string;
  /** Tells whether the process that a lock names still runs. */
  readonly processes: Processes;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "real">;
  readonly records: RailRecords;
}

/**
 * @throws when another process works in the directory, it is not this rail's, or a file of ours there cannot be read; the
 * message names it.
 */
export async function createFileRail(options: FileRailOptions): Promise<Rail> {
  const { name, directory, processes, log, clock, records } = options;
  const folder = join(directory, "results");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  const lock = lockDirectory(directory, processes);
  opened.defer(() => lock.release());
  await checkDirectory(name, directory, records.directory);
  const instructions = await openHandedOver({
    directory,
    today: () => dateOf(businessDay(clock.now())),
    real: () => clock.real(),
    mayWrite: () => lock.isHeld(),
    openAmong: (referenceNos) => records.openAmong(referenceNos),
    onKept: (error) =>
      log.warn("rail.cleanup_failed", "Ended instructions could not be removed; it is retried.", { rail: name, error }),
  });
  opened.defer(() => instructions.close());
  const setAside = await openSetAside(join(directory, "set-aside.jsonl"));
  opened.defer(() => setAside.close());
  const acknowledged = acknowledgedResultsIn(join(directory, "acknowledged.json"));
  const results = followResultFiles(
    {
      folder,
      setAside,
      // Whether its line was written may be open: then the result is the proof that it was.
      has: (referenceNo) => instructions.has(referenceNo).catch(() => true),
      find: (referenceNo) => instructions.find(referenceNo),
      hasEnded: (referenceNo) => records.hasEnded(referenceNo),
      onBadLine: ({ file, line, fault }) =>
        log.error("rail.result_rejected", "A line of a result file is invalid; it was set aside.", {
          rail: name,
          error: new Error(escapeControls(`${join(folder, file)} line ${line}: ${fault}`)),
        }),
    },
    acknowledged.read(),
  );
  const owned = opened.move();
  return createRail({
    name,
    instructions,
    results,
    beneficiaries: createBeneficiaries(join(directory, "beneficiaries.jsonl")),
    acknowledge: async (done) => {
      if (!lock.isHeld()) throw new Error(`${directory} was given to another process.`);
      const keys = new Set(done.map(keyOf));
      const lines = results.unacknowledged().filter(({ result }) => keys.has(keyOf(result)));
      if (lines.length === 0) return;
      await acknowledged.write(results.acknowledgedWith(lines));
      results.forget(lines);
    },
    close: () => owned.disposeAsync(),
  });
}

interface Parts {
  readonly name: RailName;
  readonly instructions: HandedOver;
  readonly results: ResultFiles;
  readonly beneficiaries: ReturnType<typeof createBeneficiaries>;
  acknowledge(results: readonly RailResult[]): Promise<void>;
  close(): Promise<void>;
}

function createRail({ name, instructions, results, beneficiaries, acknowledge, close }: Parts): Rail {
  const inTurn = createTurns();
  let isClosed = false;
  const call = async <Answer>(signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> => {
    signal.throwIfAborted();
    if (isClosed) throw new RailDown(`The file rail ${name} was closed.`);
    return abortable(work(), signal);
  };
  const readNew = () => inTurn(() => results.read());
  const stateOf = (referenceNo: string): RailState => instructions.find(referenceNo)?.state ?? { kind: "pending" };
  return {
    name,
    submit: (instruction, signal) =>
      call(signal, async () => {
        const number = await instructions.append(instruction);
        // It came under another number before: what became of it since may not have been read yet.
        if (number !== instruction.referenceNo) await readNew();
        return stateOf(number);
      }),
    inquire: (referenceNo, signal) =>
      call(signal, async () => {
        if (!(await instructions.has(referenceNo))) return undefined;
        await readNew();
        return stateOf(referenceNo);
      }),
    inquireBeneficiary: (bankCode, accountNo, signal) => call(signal, () => beneficiaries.find(bankCode, accountNo)),
    results: async (most) => {
      await readNew();
      return results
        .unacknowledged()
        .slice(0, most)
        .map(({ result }) => result);
    },
    acknowledge: (done) => inTurn(() => acknowledge(done)),
    waiting: async () => {
      await readNew();
      return results.unacknowledged().length;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await inTurn(close);
    },
  };
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

/** Told twice, a result is one. */
function keyOf({ referenceNo, state }: RailResult): string {
  return `${state.kind} ${referenceNo}`;
}
