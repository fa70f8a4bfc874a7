/** Shares of the layers in the CPU of one intrabank transfer, from windows of one run. */
import type { Result } from "../run-rounds.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import type { Measured, SubjectName } from "../subject.ts";
import { formatFigure } from "./figures.ts";
import { markdownTable } from "./markdown-table.ts";

export interface CpuLayer {
  readonly name: string;
  /** Microseconds a transfer; of layers that are measured as a difference also below zero. */
  readonly us: Spreaded;
}

export interface CpuLayers {
  readonly callers: number;
  readonly layers: readonly CpuLayer[];
  /** PostgreSQL's for one transaction of TPC-B; undefined where it was not measured. */
  readonly tpcbUs: Spreaded | undefined;
}

/** The subjects whose windows are needed. */
export const layerSubjects = ["floor", "edge", "engine", "handler", "e2e"] as const satisfies readonly SubjectName[];
type Round = Readonly<Record<(typeof layerSubjects)[number], Measured>>;

const layers: readonly { readonly name: string; readonly of: (round: Round) => number | undefined }[] = [
  { name: "bare node:http POST", of: ({ floor }) => floor.nodeUs },
  { name: "edge", of: ({ edge, floor }) => difference(edge.nodeUs, floor.nodeUs) },
  { name: "operation and engine", of: ({ engine }) => engine.nodeUs },
  { name: "driver and socket", of: ({ handler, engine }) => difference(handler.nodeUs, engine.nodeUs) },
  {
    name: "all in one process",
    of: ({ e2e, edge, handler }) => difference(difference(e2e.nodeUs, edge.nodeUs), handler.nodeUs),
  },
  { name: "PostgreSQL", of: ({ e2e }) => e2e.postgresUs },
];

/** At each number of callers at which all layers were measured with CPU clocks. */
export function findCpuLayers(results: readonly Result[]): readonly CpuLayers[] {
  const levels = [...new Set(results.map(({ cell }) => cell.callers))];
  return levels.flatMap((callers) => {
    const rounds = roundsOf(results, callers);
    const found = layers.flatMap(({ name, of }) => {
      const us = summarize(rounds.map(of));
      return us === undefined ? [] : [{ name, us }];
    });
    if (found.length < layers.length) return [];
    const tpcb = windowsOf(results, "tpcb", callers);
    return [{ callers, layers: found, tpcbUs: summarize(tpcb.map(({ postgresUs }) => postgresUs)) }];
  });
}

export function writeCpuReport({ callers, layers: found, tpcbUs }: CpuLayers): string {
  const total = found.reduce((sum, { us }) => sum + us.median, 0);
  const row = (name: string, us: Spreaded) => [
    name,
    formatFigure(us, true),
    `${((us.median / total) * 100).toFixed(0)} %`,
  ];
  const reference = tpcbUs ? [["TPC-B transaction: PostgreSQL", formatFigure(tpcbUs, true), ""]] : [];
  return [
    `## CPU of one transfer, ${callers} callers`,
    markdownTable(
      ["layer", "us of CPU", "share"],
      [...found.map(({ name, us }) => row(name, us)), ["sum of the medians", total.toFixed(1), ""], ...reference],
    ),
  ].join("\n\n");
}

function roundsOf(results: readonly Result[], callers: number): readonly Round[] {
  const [floors, edges, engines, handlers, wholes] = layerSubjects.map((name) => windowsOf(results, name, callers));
  return (floors ?? []).flatMap((floor, round) => {
    const [edge, engine, handler, e2e] = [edges?.[round], engines?.[round], handlers?.[round], wholes?.[round]];
    return edge && engine && handler && e2e ? [{ floor, edge, engine, handler, e2e }] : [];
  });
}

function windowsOf(results: readonly Result[], subject: SubjectName, callers: number): readonly Measured[] {
  const isOf = ({ cell }: Result) => cell.subject === subject && cell.load === "uniform" && cell.callers === callers;
  return results.find(isOf)?.windows ?? [];
}

function difference(all: number | undefined, part: number | undefined): number | undefined {
  return all === undefined || part === undefined ? undefined : all - part;
}
