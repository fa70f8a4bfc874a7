/** Latency at a share of the peak, with calls that arrive at random and wait for nobody. */
import { startLoadedDatabase } from "../load/start-loaded-database.ts";
import { leastDisturbed, type PartOptions } from "../part.ts";
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";

export interface OpenLoopRound {
  /** A closed loop. */
  readonly peak: Measured;
  readonly half: Measured;
  readonly most: Measured;
}

const callers = 256;
/** Connections for what arrives while others wait. */
const connections = 512;
const shares = { half: 0.5, most: 0.8 } as const;

/** @param onMeasured told what was measured before the audit begins */
export async function measureOpenLoop(
  options: PartOptions,
  onMeasured: (rounds: readonly OpenLoopRound[]) => void,
): Promise<void> {
  const { cluster, accounts, rounds, seconds, warmUpSeconds, onProgress } = options;
  onProgress("preparing the open loop");
  await using loaded = await startLoadedDatabase({ cluster, database: "bench_open", accounts, onProgress });
  const runAt = (perSecond: number) =>
    leastDisturbed(options, "open loop", () =>
      loaded.run({ load: "uniform", callers: connections, seconds, perSecond }),
    );
  const runPeak = (length: number) => loaded.run({ load: "uniform", callers, seconds: length });
  await runPeak(warmUpSeconds);
  const measured: OpenLoopRound[] = [];
  while (measured.length < rounds) {
    const peak = await leastDisturbed(options, "peak", () => runPeak(seconds));
    const half = await runAt(peak.perSecond * shares.half);
    const most = await runAt(peak.perSecond * shares.most);
    measured.push({ peak, half, most });
    const text = (name: string, { perSecond, p50Ms = 0, p99Ms = 0 }: Measured) =>
      `${name} ${perSecond.toFixed(0)}/s p50 ${p50Ms.toFixed(1)} ms p99 ${p99Ms.toFixed(1)} ms`;
    onProgress(
      `open loop ${measured.length}/${rounds}  ${text("peak", peak)}, ${text("50 %", half)}, ${text("80 %", most)}`,
    );
  }
  onMeasured(measured);
}

export function writeOpenLoopReport(rounds: readonly OpenLoopRound[]): string {
  const row = (title: string, of: (round: OpenLoopRound) => Measured) => {
    const figure = (pick: (measured: Measured) => number | undefined) =>
      formatFigure(summarize(rounds.map((round) => pick(of(round)))), true);
    return [
      title,
      figure(({ perSecond }) => perSecond),
      figure(({ p50Ms }) => p50Ms),
      figure(({ p99Ms }) => p99Ms),
      figure(({ walBytes }) => walBytes),
      figure(({ othersShare }) => othersShare && othersShare * 100),
    ];
  };
  return [
    "## Calls that arrive at random: medians, least and most of the rounds",
    markdownTable(
      ["intrabank transfers (17)", "a second", "p50 ms", "p99 ms", "WAL bytes", "others %"],
      [
        row(`peak: closed loop, ${callers} callers`, ({ peak }) => peak),
        row("open loop, 50 % of the peak", ({ half }) => half),
        row("open loop, 80 % of the peak", ({ most }) => most),
      ],
    ),
  ].join("\n\n");
}
