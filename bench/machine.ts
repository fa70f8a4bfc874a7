/** Where and on what a run was made: a figure without it says nothing. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import type { Cluster } from "./database/cluster.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly postgresCompilerFlags: string;
  readonly pgbench: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** Abbreviated; undefined outside a repository. */
  readonly commit: string | undefined;
  /** Load of the last minute, before the run. */
  readonly loadBefore: number;
}

export function describeMachine(cluster: Cluster, pgbench: string | undefined): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release()}`,
    node: process.version,
    postgres: cluster.version,
    postgresCompilerFlags: cluster.compilerFlags,
    pgbench,
    settings: cluster.settings,
    commit: findCommit(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

function findCommit(): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
