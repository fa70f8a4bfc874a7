import { spawnSync } from "node:child_process";
import type { ServerBinaries } from "../server/server-binaries.ts";

/** SIGINT: end the sessions, write everything, stop. SIGQUIT: stop at once, recover at the next start. */
export type PostmasterSignal = "SIGINT" | "SIGQUIT" | "SIGKILL";

export function signalPostmaster(pid: number, signal: PostmasterSignal, binaries: ServerBinaries): void {
  if (process.platform === "win32") {
    // Windows has no signals; PostgreSQL has its own there, and pg_ctl to send them.
    spawnSync(binaries.pgCtl, ["kill", signal.slice(3), `${pid}`], { windowsHide: true });
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}
