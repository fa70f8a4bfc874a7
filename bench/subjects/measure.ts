/** Measures one window: what its calls took, and what everybody's CPU clock said before and after. */
import { clusterCpuUs, machineCpu, processCpuUs } from "../cpu.ts";
import type { Cluster } from "../database/cluster.ts";
import type { Measured, Seen } from "../subject.ts";

/** The processes that take part beside this one and the programs it runs to their end. */
export interface Participants {
  readonly cluster: Cluster;
  /** Makes the calls. */
  readonly caller?: number;
  /** The processes under test, when it is not the caller itself. */
  readonly services?: readonly number[];
}

/** Figures that the callers saw; percentiles are missing where nobody tells them. */
export type Calls = Pick<Seen, "done"> & Pick<Measured, "perSecond" | "p50Ms" | "p99Ms">;

export async function measure(participants: Participants, run: () => Promise<Calls>): Promise<Measured> {
  const { cluster } = participants;
  const walBefore = await cluster.walBytes();
  const before = readClocks(participants);
  const calls = await run();
  const spent = subtract(readClocks(participants), before);
  const walAfter = await cluster.walBytes();
  const perCall = (spentInAll: number | undefined) => (spentInAll === undefined ? undefined : spentInAll / calls.done);
  const hasService = participants.services !== undefined;
  const isCallerTested = participants.caller !== undefined && !hasService;
  return {
    ...calls,
    postgresUs: perCall(spent.postgres),
    nodeUs: perCall(isCallerTested ? spent.caller : spent.service),
    generatorUs: perCall(isCallerTested ? undefined : (spent.caller ?? spent.runner)),
    walBytes: perCall(walAfter - walBefore),
    busyShare: shareOfBusy(spent),
    othersShare: shareOfOthers(spent),
  };
}

/** Microseconds; undefined where there is no such process, or no clock. */
interface Clocks {
  readonly postgres: number | undefined;
  readonly caller: number | undefined;
  readonly service: number | undefined;
  /** This process and those it ran to their end. */
  readonly runner: number | undefined;
  readonly busy: number | undefined;
  readonly total: number | undefined;
}

function readClocks({ cluster, caller, services }: Participants): Clocks {
  const machine = machineCpu();
  return {
    postgres: cluster.postmaster === undefined ? undefined : clusterCpuUs(cluster.postmaster),
    caller: caller === undefined ? undefined : processCpuUs(caller),
    // With their workers, if they have any.
    service: services && sumOf(services.map((pid) => clusterCpuUs(pid))),
    runner: processCpuUs(process.pid, { withEnded: true }),
    busy: machine?.busyUs,
    total: machine?.totalUs,
  };
}

/** Undefined where one of them is. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}

function subtract(after: Clocks, before: Clocks): Clocks {
  const difference = (name: keyof Clocks) => {
    const [late, early] = [after[name], before[name]];
    return late === undefined || early === undefined ? undefined : late - early;
  };
  return {
    postgres: difference("postgres"),
    caller: difference("caller"),
    service: difference("service"),
    runner: difference("runner"),
    busy: difference("busy"),
    total: difference("total"),
  };
}

/** Part of all cores' time that was spent, by anybody. */
function shareOfBusy({ busy, total }: Clocks): number | undefined {
  return busy === undefined || !total ? undefined : busy / total;
}

/** Part of the machine that went to processes that have no part in the run: the more, the less the window says. */
function shareOfOthers({ postgres, caller = 0, service = 0, runner, busy, total }: Clocks): number | undefined {
  if (postgres === undefined || runner === undefined || busy === undefined || !total) return undefined;
  return Math.max(0, (busy - postgres - caller - service - runner) / total);
}
