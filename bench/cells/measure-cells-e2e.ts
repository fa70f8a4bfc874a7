/** Transfers (17) between two cells beside those within one, by signed requests over HTTP to the whole service. */
import type { MeasurePart } from "../parts.ts";
import { writeDisturbed } from "../report/comparison-table.ts";
import { type Column, measuredColumns } from "../report/figures-table.ts";
import { type Result, runRounds } from "../run-rounds.ts";
import type { Measured } from "../subject.ts";
import { acrossTable } from "./across-table.ts";
import { type CellSubjectName, cellSubjects, startCells } from "./start-cells.ts";

const partners = [
  { title: "partner of home", within: "homeWithin", across: "homeAcross" },
  { title: "partner of both cells", within: "bothWithin", across: "bothAcross" },
] as const;

const { rate, p50, postgres, node } = measuredColumns;
const columns: readonly Column<Measured>[] = [
  rate,
  p50,
  {
    title: "us of Node and PostgreSQL",
    of: ({ nodeUs, postgresUs }) =>
      nodeUs === undefined || postgresUs === undefined ? undefined : nodeUs + postgresUs,
  },
  node,
  postgres,
];

export const measureCellsEndToEnd: MeasurePart = async (options, publish) => {
  options.onProgress("preparing cells end to end");
  await using service = await startCells(options);
  const results = await runRounds({ ...options, subjects: service.subjects, loads: ["uniform"] });
  const disturbed = writeDisturbed(results, { ...options, titles: cellSubjects });
  const report = [table(results, options.callers), disturbed].filter((text) => text !== "").join("\n\n");
  publish({ report, figures: { cellsE2e: results } });
};

function table(results: readonly Result<CellSubjectName>[], callers: readonly number[]): string {
  const windowsOf = (name: CellSubjectName, count: number) =>
    results.find(({ cell: { subject, callers: found } }) => subject === name && found === count)?.windows ?? [];
  const rows = partners.flatMap(({ title, within, across }) =>
    callers.map((count) => ({
      title: `${title}, ${count} callers`,
      within: windowsOf(within, count),
      across: windowsOf(across, count),
    })),
  );
  return [
    "## A transfer over HTTP to another cell, answered once its payee has the money, beside one within a cell; payers are in home",
    acrossTable(columns, rows),
  ].join("\n\n");
}
