/** One run of PostgreSQL's own load generator. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createLatencies } from "../latencies.ts";
import type { Calls } from "../subjects/measure.ts";

const run = promisify(execFile);
/** The names of some thousand log lines would not fit Node's default. */
const maxBuffer = 16_777_216;
const threads = 2;
/** More make TPC-B and the SQL-function ledger slower. */
export const clientsMost = 8;
/** Time that one connection takes at most, on a busy machine. */
const connectSeconds = 0.01;

export const howToInstallPgbench =
  "pgbench is not installed: TPC-B, the SQL-function ledger and every ratio to them are left out. " +
  "On Debian and Ubuntu: apt-get install postgresql-contrib; on Fedora: dnf install postgresql-contrib; on macOS: brew install postgresql.";

/** pgbench's version, or undefined when it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  try {
    return (await run("pgbench", ["--version"])).stdout.trim();
  } catch {
    return undefined;
  }
}

export async function initializePgbench(url: string, scale: number): Promise<void> {
  await run("pgbench", ["--initialize", "--quiet", "--scale", String(scale), url], { maxBuffer });
}

export interface PgbenchRun {
  readonly url: string;
  readonly clients: number;
  /** Whole seconds: pgbench counts no others. It counts the time in which it connects, so that is added. */
  readonly seconds: number;
  /** It ends after so many transactions instead. */
  readonly calls?: number | undefined;
  /** Script that is run instead of TPC-B: a file, with its variables. */
  readonly script?: { readonly path: string; readonly variables: Readonly<Record<string, string>> };
}

/** Prepared statements in a closed loop, each transaction with its time. @throws when one failed. */
export async function runPgbench({ url, clients, seconds, calls, script }: PgbenchRun): Promise<Calls> {
  const logs = mkdtempSync(join(tmpdir(), "titian-pgbench-"));
  const variables = Object.entries(script?.variables ?? {}).map(([name, value]) => `--define=${name}=${value}`);
  const wholeSeconds = Math.max(1, Math.round(seconds)) + Math.ceil(clients * connectSeconds);
  const args = [
    `--client=${clients}`,
    `--jobs=${Math.min(threads, clients)}`,
    "--protocol=prepared",
    "--no-vacuum",
    calls === undefined ? `--time=${wholeSeconds}` : `--transactions=${Math.ceil(calls / clients)}`,
    ...(script ? [`--file=${script.path}`, ...variables] : []),
    "--log",
    `--log-prefix=${join(logs, "log")}`,
  ];
  try {
    const { stdout } = await run("pgbench", [...args, url], { maxBuffer });
    const failed = readFigure(stdout, /number of failed transactions: (\d+)/);
    if (failed > 0) throw new Error(`${failed} transactions of pgbench failed.\n${stdout}`);
    const done = readFigure(stdout, /actually processed: (\d+)/);
    const perSecond = readFigure(stdout, /tps = ([\d.]+) \(without initial connection time\)/);
    return { done, perSecond, ...readLatencies(logs) };
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
}

function readFigure(report: string, pattern: RegExp): number {
  const figure = pattern.exec(report)?.[1];
  if (figure === undefined) throw new Error(`pgbench's report could not be read: it has no ${pattern}.\n${report}`);
  return Number(figure);
}

/** One line a transaction: client, number, microseconds, and when. */
function readLatencies(directory: string): Pick<Calls, "p50Ms" | "p99Ms"> {
  const latencies = createLatencies();
  for (const name of readdirSync(directory)) {
    for (const line of readFileSync(join(directory, name), "utf8").trim().split("\n")) {
      latencies.add(Number(line.split(" ", 3)[2]) / 1_000);
    }
  }
  const { p50Ms, p99Ms } = latencies.seen(0);
  return { p50Ms, p99Ms };
}
