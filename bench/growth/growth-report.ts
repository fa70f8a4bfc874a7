/** Filled tables beside empty ones, each directly after a checkpoint. */
import type { AskedRatio } from "../report/asked-table.ts";
import { formatFigure } from "../report/figures.ts";
import { type Asked, judge } from "../report/judge.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";
import { growthCallers, type GrowthResult } from "./measure-growth.ts";

type Figure = (window: Measured) => number | undefined;

const compared: readonly { readonly name: string; readonly of: Figure; readonly asked?: Asked }[] = [
  { name: "a second", of: ({ perSecond }) => perSecond, asked: { least: 0.8 } },
  { name: "WAL bytes", of: ({ walBytes }) => walBytes, asked: { most: 2 } },
  { name: "PostgreSQL CPU", of: ({ postgresUs }) => postgresUs },
];

/** Of every size over the first, within a round. */
export function compareGrowth([base, ...others]: readonly GrowthResult[]): readonly AskedRatio[] {
  return others.flatMap(({ transfers, windows }) =>
    compared.flatMap(({ name, of, asked }) => {
      const value = summarize(
        windows.map((window, round) => {
          const [over, under] = [of(window), base?.windows[round] && of(base.windows[round])];
          return over === undefined || !under ? undefined : over / under;
        }),
      );
      const title = `${name}: ${titleOf(transfers)} / ${titleOf(base?.transfers ?? 0)}`;
      return value === undefined ? [] : [{ name: title, callers: growthCallers, value, asked }];
    }),
  );
}

export function writeGrowthReport(results: readonly GrowthResult[]): string {
  const row = ({ transfers, windows }: GrowthResult) => {
    const figure = (of: Figure) => formatFigure(summarize(windows.map(of)), true);
    return [
      titleOf(transfers),
      figure(({ perSecond }) => perSecond),
      figure(({ p99Ms }) => p99Ms),
      figure(({ postgresUs }) => postgresUs),
      figure(({ nodeUs }) => nodeUs),
      figure(({ walBytes }) => walBytes),
      figure(({ othersShare }) => othersShare && othersShare * 100),
    ];
  };
  const head = ["before", "a second", "p99 ms", "PostgreSQL us", "Node us", "WAL bytes", "others %"];
  const ratios = compareGrowth(results).map(({ name, value, asked }) => [
    name,
    formatFigure(value, true),
    asked ? judge(value.median, asked) : "",
  ]);
  return [
    "## Filled tables, end to end, 256 callers, straight after a checkpoint",
    markdownTable(head, results.map(row)),
    markdownTable(["within a round", "median (least - most)", "asked"], ratios),
  ].join("\n\n");
}

function titleOf(transfers: number): string {
  return transfers === 0 ? "no transfers" : `${transfers.toLocaleString("en")} transfers`;
}
