/** CPU time of this process and of its descendants that have ended and were waited for (ms). */
import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever the machine's own tick. */
const tickMs = 10;

/** Elsewhere than on Linux: of this process alone. */
export function cpuTimeMs(): number {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const stat = readFileSync("/proc/self/stat", "utf8");
  // Behind the name, which may hold anything: utime, stime, cutime and cstime are the fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
}
