/** Everything that was asked of a run and whether it was met, in one table. */
import type { Spreaded } from "../statistics.ts";
import { formatFigure } from "./figures.ts";
import { type Asked, judge } from "./judge.ts";
import { markdownTable } from "./markdown-table.ts";

export interface AskedRatio {
  readonly name: string;
  readonly callers: number;
  readonly value: Spreaded;
  readonly asked?: Asked | undefined;
}

/** Empty where nothing was asked. */
export function writeAsked(ratios: readonly AskedRatio[]): string {
  const rows = ratios.flatMap(({ name, callers, value, asked }) =>
    asked === undefined ? [] : [[name, String(callers), formatFigure(value, true), judge(value.median, asked)]],
  );
  if (rows.length === 0) return "";
  return `## What was asked\n\n${markdownTable(["ratio within a round", "callers", "median", "asked"], rows)}`;
}
