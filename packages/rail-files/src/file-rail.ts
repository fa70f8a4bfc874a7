/**
 * A rail of files (spec D11, docs/reference/rails.md): any node asks the database for the export of its instructions;
 * the one that has the rail's lease writes them to files, and reads results from others. Another program carries both.
 */
import { join } from "node:path";
import {
  abortable,
  type Clock,
  type KnownInstruction,
  type Log,
  type Rail,
  RailDown,
  type RailName,
  type RailRecords,
  type RailState,
} from "@titian/server/rails";
import { createBeneficiaries } from "./beneficiaries.ts";
import { type Exporter, startExporter } from "./export/exporter.ts";
import { createAwaitedStates } from "./hand-over/awaited-states.ts";
import { makeDirectory } from "./files/volume.ts";
import { createHandOver } from "./hand-over/hand-over.ts";
import { logExport } from "./log-export.ts";
import { createResultLooks } from "./results/look-for-results.ts";
import { createResults } from "./results/results.ts";

export interface FileRailOptions {
  readonly name: RailName;
  /** Made when it is not there. All nodes that are connected to the rail share it. */
  readonly directory: string;
  /** File of the accounts at other banks (16). It need not be there. */
  readonly beneficiaries: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly records: RailRecords;
  /** False: it never takes the lease. Absent: true. */
  readonly exports?: boolean;
  /** True: the node answers inquiries alone; results are read then, and nothing of them is recorded. Absent: never. */
  readonly readsOnly?: () => boolean;
}

export interface FileRail extends Rail {
  /**
   * Reason why nobody knows what the database has forgotten of the directory; undefined: an instance has compared it
   * since this one was opened, or this one never takes the lease.
   */
  uncomparedBecause(): string | undefined;
  /** Reason why its directory is not asked for anything now; undefined: the directory's volume answers. */
  silentBecause(): string | undefined;
}

/** @throws when the directory cannot be made, or its volume does not answer. */
export async function createFileRail(options: FileRailOptions): Promise<FileRail> {
  const { name, directory, log, clock, records, exports = true, readsOnly = () => false } = options;
  const folder = join(directory, "results");
  const volume = await makeDirectory(folder);
  const events = logExport({ name, folder, log, clock });
  let exporter: Exporter | undefined;
  const awaited = createAwaitedStates({ records, clock, isReader: () => exporter?.held() !== undefined });
  const handOver = createHandOver({ name, records, clock, awaited, onAsked: () => exporter?.wake() });
  const results = createResults({
    volume,
    folder,
    records,
    lease: () => (readsOnly() ? undefined : exporter?.held()),
    clock,
    isAwaitedHere: (referenceNo) => awaited.untilOf(referenceNo) !== undefined,
    readsOnly,
    onBadLine: events.badLine,
  });
  const looks = createResultLooks(results.read, clock);
  if (exports) {
    const onWritten = (numbers: readonly string[], areAwaited: boolean) => {
      handOver.tellWritten(numbers);
      if (areAwaited) looks.begin();
    };
    exporter = await startExporter({ directory, volume, clock, records, events, onWritten });
  }
  let isClosed = false;
  const call = createCalls(name, () => isClosed);
  /** Results that came since are looked at by the node that reads them. */
  const newestState = async (known: KnownInstruction): Promise<RailState> => {
    const isRead = await looks.look();
    return stateOf((isRead && (await handOver.find(known.terms.referenceNo))) || known);
  };
  const beneficiaries = createBeneficiaries(options.beneficiaries);
  return {
    name,
    uncomparedBecause: () => exporter?.uncomparedBecause(),
    silentBecause: volume.silentBecause,
    submit: (instruction, signal) =>
      call(signal, async () => {
        const known = await handOver.submit(instruction);
        // It came under another number before: what became of it since may not have been read yet.
        return known.terms.referenceNo === instruction.referenceNo ? stateOf(known) : newestState(known);
      }),
    awaitState: awaited.add,
    inquire: (referenceNo, signal) =>
      call(signal, async () => {
        // A result proves that the line was written, also where the database does not know that.
        await looks.look();
        const known = await handOver.find(referenceNo);
        return known && newestState(known);
      }),
    hasUnderOtherNumber: (instruction, signal) => call(signal, () => handOver.hasUnderOtherNumber(instruction)),
    inquireBeneficiary: (bankCode, accountNo, signal) => call(signal, () => beneficiaries.find(bankCode, accountNo)),
    onResults: looks.onFound,
    results: async (max) => {
      const because = exporter?.stoppedBecause();
      if (because !== undefined && !readsOnly()) throw new RailDown(`The ${name} rail is stopped: ${because}.`);
      return results.list(max);
    },
    acknowledge: results.acknowledge,
    waiting: results.waiting,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const part of [looks, results, exporter]) await part?.close();
    },
  };
}

/** Work that ends with its signal, until the rail is closed. */
function createCalls(name: RailName, isClosed: () => boolean) {
  return async <Answer>(signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> => {
    signal.throwIfAborted();
    if (isClosed()) throw new RailDown(`The file rail ${name} was closed.`);
    return abortable(work(), signal);
  };
}

function stateOf({ state }: KnownInstruction): RailState {
  return state ?? { kind: "pending" };
}
