/** CPU time of processes, from Linux's /proc. Elsewhere there is none to read, and the figures are left out. */
import { readFileSync } from "node:fs";

/** The kernel counts in ticks of a hundredth of a second. */
const usPerTick = 10_000;

interface Ticks {
  readonly own: number;
  /** Time of children that have ended and been waited for. */
  readonly ended: number;
}

/** Microseconds of CPU the process has used so far, all its threads; on request with the children that have ended. */
export function processCpuUs(pid: number, { withEnded = false } = {}): number | undefined {
  const ticks = readTicks(pid);
  return ticks === undefined ? undefined : (ticks.own + (withEnded ? ticks.ended : 0)) * usPerTick;
}

/** Microseconds since boot of all cores together. Time that the hypervisor gave to others counts as busy. */
export function machineCpu(): { readonly busyUs: number; readonly totalUs: number } | undefined {
  const line = readProc("/proc/stat")?.split("\n")[0]?.trim().split(/\s+/).slice(1, 9).map(Number);
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...rest] = line;
  const busy = [user, nice, system, ...rest].reduce((sum, ticks) => sum + ticks, 0);
  return { busyUs: busy * usPerTick, totalUs: (busy + idle + waiting) * usPerTick };
}

/** Microseconds of CPU a PostgreSQL cluster has used so far: the postmaster and every child it has or had. */
export function clusterCpuUs(postmaster: number): number | undefined {
  const ticks = readTicks(postmaster);
  if (ticks === undefined) return undefined;
  let sum = ticks.own + ticks.ended;
  for (const child of childrenOf(postmaster)) sum += readTicks(child)?.own ?? 0;
  return sum * usPerTick;
}

/** The parent of a process: of a backend, the postmaster. */
export function parentOf(pid: number): number | undefined {
  const fields = readStat(pid);
  return fields === undefined ? undefined : Number(fields[1]);
}

/** The program a process runs. */
export function nameOf(pid: number): string | undefined {
  return readProc(`/proc/${pid}/comm`)?.trim();
}

function readTicks(pid: number): Ticks | undefined {
  const fields = readStat(pid);
  if (fields === undefined) return undefined;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { own: (user ?? 0) + (system ?? 0), ended: (endedUser ?? 0) + (endedSystem ?? 0) };
}

/** The fields behind the program's name, from the third (`state`) on. */
function readStat(pid: number): readonly string[] | undefined {
  return readProc(`/proc/${pid}/stat`)?.split(") ").at(-1)?.trim().split(" ");
}

/** Its child processes; none where it has ended. */
export function childrenOf(pid: number): readonly number[] {
  const text = readProc(`/proc/${pid}/task/${pid}/children`)?.trim() ?? "";
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Undefined when the process has ended, or there is no /proc. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
