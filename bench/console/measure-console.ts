/** What an open console costs those who make calls: intrabank transfers (17) with and without one. */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase } from "../database/databases.ts";
import { startLoadedService } from "../load/start-loaded-service.ts";
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";
import { auditDatabase } from "../subjects/audit-database.ts";
import { runWindow } from "../subjects/run-window.ts";
import { openConsole } from "./open-console.ts";

export interface ConsoleOptions {
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

export interface ConsoleRound {
  readonly without: Measured;
  readonly withConsole: Measured;
}

const database = "bench_console";
const callers = 256;
const asked = 0.95;

export async function measureConsole(options: ConsoleOptions): Promise<readonly ConsoleRound[]> {
  const { cluster, seconds, onProgress } = options;
  onProgress("preparing the console");
  await using stack = new AsyncDisposableStack();
  const url = await createLedgerDatabase(cluster.url, database);
  stack.defer(() => dropDatabase(cluster.url, database));
  stack.defer(() => auditDatabase("console", url, onProgress));
  const { service, worker } = stack.use(
    await startLoadedService({ url, accounts: options.accounts, rails: "simulated" }),
  );
  const { origin } = service.partner;
  const { controlToken } = service;
  const run = () => runWindow(worker, { cluster, services: [service.pid] }, { load: "uniform", callers, seconds });
  const runWithConsole = async () => {
    await using console = await openConsole({ origin, controlToken });
    const measured = await run();
    if (console.received() === 0) throw new Error("The console was shown no call.");
    return measured;
  };
  await run();
  const rounds: ConsoleRound[] = [];
  while (rounds.length < options.rounds) {
    // In turns, so that neither always follows the other.
    const isFirst = rounds.length % 2 === 0;
    const before = isFirst ? await runWithConsole() : undefined;
    const without = await run();
    const withConsole = before ?? (await runWithConsole());
    rounds.push({ without, withConsole });
    onProgress(
      `console ${rounds.length}/${options.rounds}  ${withConsole.perSecond.toFixed(0)}/s with, ${without.perSecond.toFixed(0)}/s without`,
    );
  }
  return rounds;
}

export function compareConsole(rounds: readonly ConsoleRound[]): Spreaded | undefined {
  return summarize(rounds.map(({ withConsole, without }) => withConsole.perSecond / without.perSecond));
}

export function writeConsoleReport(rounds: readonly ConsoleRound[]): string {
  const row = (title: string, of: (round: ConsoleRound) => Measured) => {
    const figure = (pick: (measured: Measured) => number | undefined) =>
      formatFigure(summarize(rounds.map((round) => pick(of(round)))), true);
    return [
      title,
      figure(({ perSecond }) => perSecond),
      figure(({ p99Ms }) => p99Ms),
      figure(({ nodeUs }) => nodeUs),
      figure(({ othersShare }) => othersShare && othersShare * 100),
    ];
  };
  const ratio = compareConsole(rounds);
  const verdict = ratio && `at least ${asked} ${ratio.median >= asked ? "met" : "MISSED"}`;
  return [
    "## One open console: medians, least and most of the rounds",
    markdownTable(
      [`intrabank transfers (17), ${callers} callers`, "a second", "p99 ms", "Node us", "others %"],
      [row("with a console", ({ withConsole }) => withConsole), row("without", ({ without }) => without)],
    ),
    `With / without: ${formatFigure(ratio, true)}, asked: ${verdict}.`,
  ].join("\n\n");
}
