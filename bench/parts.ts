/** Parts that a run measures behind its subjects: each measures and publishes a report and figures to keep. */
import { measureBulks } from "./bulks/measure-bulks.ts";
import { measureCells } from "./cells/measure-cells.ts";
import { measureCellsEndToEnd } from "./cells/measure-cells-e2e.ts";
import type { Cluster } from "./database/cluster.ts";
import { measureDeliveries } from "./deliveries/measure-deliveries.ts";
import { measureGarbage } from "./garbage/measure-garbage.ts";
import { measureGrowth } from "./growth/measure-growth.ts";
import { measureNeighbours } from "./neighbours/measure-neighbours.ts";
import type { Options, PartName } from "./options.ts";
import { measureSearch } from "./search/measure-search.ts";
import { measureStart } from "./start/measure-start.ts";
import { measureSoak } from "./soak/measure-soak.ts";

export interface PartOptions extends Options {
  readonly cluster: Cluster;
  readonly onProgress: (text: string) => void;
}

export interface PartResult {
  /** Tables for a person. */
  readonly report: string;
  /** Kept in the file of the run, under their names. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** Publishes what it has measured before it audits a database that took long to fill. */
export type MeasurePart = (options: PartOptions, publish: (result: PartResult) => void) => Promise<void>;

export const parts: Readonly<Record<PartName, MeasurePart>> = {
  bulks: measureBulks,
  cells: measureCells,
  cellsE2e: measureCellsEndToEnd,
  deliveries: measureDeliveries,
  garbage: measureGarbage,
  growth: measureGrowth,
  neighbours: measureNeighbours,
  search: measureSearch,
  soak: measureSoak,
  start: measureStart,
};
