/** What a run measures behind its subjects: each part has a way to measure, a report and figures to keep. */
import { compareBulks, writeBulkReport } from "./bulks/bulk-report.ts";
import { measureBulks } from "./bulks/measure-bulks.ts";
import { compareConsole, measureConsole, writeConsoleReport } from "./console/measure-console.ts";
import { compareDeliveries, writeDeliveryReport } from "./deliveries/delivery-report.ts";
import { measureDeliveries } from "./deliveries/measure-deliveries.ts";
import { compareGrowth, writeGrowthReport } from "./growth/growth-report.ts";
import { measureGrowth } from "./growth/measure-growth.ts";
import { measureOpenLoop, writeOpenLoopReport } from "./open-loop/measure-open-loop.ts";
import type { Options, PartName } from "./options.ts";
import type { PartOptions } from "./part.ts";
import type { AskedRatio } from "./report/asked-table.ts";
import { measureSoak } from "./soak/measure-soak.ts";
import { writeSoakReport } from "./soak/soak-report.ts";

export interface PartResult {
  /** Tables for a person. */
  readonly report: string;
  /** Kept in the file of the run, under their names. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Ratios of which something is asked. */
  readonly asked?: readonly AskedRatio[];
}

/** Publishes what it has measured before it audits a database that took long to fill. */
export type MeasurePart = (options: Options & PartOptions, publish: (result: PartResult) => void) => Promise<void>;

export const parts: Readonly<Record<PartName, MeasurePart>> = {
  bulks: async (options, publish) => {
    const bulks = await measureBulks(options);
    const figures = { bulkRatios: compareBulks(bulks), bulks };
    publish({ report: writeBulkReport(bulks, options.bulkItems), figures });
  },
  console: async (options, publish) => {
    const consoles = await measureConsole(options);
    publish({ report: writeConsoleReport(consoles), figures: { consoleRatio: compareConsole(consoles), consoles } });
  },
  deliveries: async (options, publish) => {
    const deliveries = await measureDeliveries(options);
    const deliveryRatios = compareDeliveries(deliveries);
    publish({ report: writeDeliveryReport(deliveries), figures: { deliveryRatios, deliveries } });
  },
  open: (options, publish) =>
    measureOpenLoop(options, (openLoop) => publish({ report: writeOpenLoopReport(openLoop), figures: { openLoop } })),
  growth: (options, publish) =>
    measureGrowth(options, (growth) => {
      const growthRatios = compareGrowth(growth);
      publish({ report: writeGrowthReport(growth), figures: { growthRatios, growth }, asked: growthRatios });
    }),
  soak: (options, publish) =>
    measureSoak(options, (soak) => publish({ report: writeSoakReport(soak), figures: { soak } })),
};
