/**
 * What a synchronous standby costs inquiries (36): each is answered behind a commit that began after its read and that the standby
 * has. The same node and database with and without it in `synchronous_standby_names`, in turns.
 */
import { startReplicatedServers } from "../../test/support/database/replicated-servers.ts";
import { describeCluster } from "../database/cluster.ts";
import { query } from "../database/databases.ts";
import { fillTransfers } from "../growth/fill-transfers.ts";
import { startLoadedDatabase } from "../load/start-loaded-database.ts";
import type { PartOptions } from "../part.ts";
import type { AskedRatio } from "../report/asked-table.ts";
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";

export interface StandbyRound {
  readonly without: Measured;
  readonly withStandby: Measured;
}

const callers = 64;
const addedMsMost = 3;
/** A node hears of a standby within a second. */
const settleSeconds = 2;

export async function measureStandby(options: Omit<PartOptions, "cluster">): Promise<readonly StandbyRound[]> {
  const { accounts, seconds, warmUpSeconds, onProgress } = options;
  onProgress("preparing a primary and its standby");
  await using servers = await startReplicatedServers();
  const { url } = servers.primary;
  const cluster = await describeCluster(url, () => Promise.resolve());
  const fill = (ledger: Parameters<typeof fillTransfers>[0]) => fillTransfers(ledger, accounts);
  const rounds: StandbyRound[] = [];
  {
    await using loaded = await startLoadedDatabase({ cluster, database: "bench_standby", accounts, onProgress, fill });
    const run = (length: number) => loaded.run({ load: "inquiry", callers, seconds: length });
    const measure = async (standbys: "*" | "") => {
      await query(url, `alter system set synchronous_standby_names = '${standbys}'`);
      await query(url, "select pg_reload_conf()");
      await run(settleSeconds);
      return run(seconds);
    };
    await run(warmUpSeconds);
    while (rounds.length < options.rounds) {
      // In turns, so that neither always follows the other.
      const before = rounds.length % 2 === 0 ? await measure("*") : undefined;
      const without = await measure("");
      const withStandby = before ?? (await measure("*"));
      rounds.push({ without, withStandby });
      onProgress(
        `standby ${rounds.length}/${options.rounds}  ${say(withStandby)} with, ${say(without)} without; log: ${(withStandby.walBytes ?? 0).toFixed(1)} and ${(without.walBytes ?? 0).toFixed(1)} bytes a call`,
      );
    }
  }
  await cluster.stop();
  return rounds;
}

const say = ({ perSecond, p50Ms = 0 }: Measured) => `${perSecond.toFixed(0)}/s p50 ${p50Ms.toFixed(1)} ms`;

export function compareStandby(rounds: readonly StandbyRound[]): readonly AskedRatio[] {
  const value = summarize(rounds.map(({ withStandby, without }) => withStandby.perSecond / without.perSecond));
  const name = "inquiries (36): with a synchronous standby / without";
  return value === undefined ? [] : [{ name, callers, value, asked: { least: 0.9 } }];
}

export function writeStandbyReport(rounds: readonly StandbyRound[]): string {
  const row = (title: string, of: (round: StandbyRound) => Measured) => {
    const figure = (pick: (measured: Measured) => number | undefined) =>
      formatFigure(summarize(rounds.map((round) => pick(of(round)))), true);
    return [
      title,
      figure(({ perSecond }) => perSecond),
      figure(({ p50Ms }) => p50Ms),
      figure(({ p99Ms }) => p99Ms),
      figure(({ walBytes }) => walBytes),
    ];
  };
  const added = summarize(rounds.map(({ withStandby, without }) => (withStandby.p50Ms ?? 0) - (without.p50Ms ?? 0)));
  return [
    "## A synchronous standby: medians, least and most of the rounds",
    markdownTable(
      [`inquiries (36), ${callers} callers`, "a second", "p50 ms", "p99 ms", "WAL bytes"],
      [row("with a standby", ({ withStandby }) => withStandby), row("without", ({ without }) => without)],
    ),
    `p50 with, less p50 without: ${formatFigure(added, true)} ms, asked: at most ${addedMsMost} ${added && added.median <= addedMsMost ? "met" : "MISSED"}.`,
  ].join("\n\n");
}
