/** The service beside the usual one and the guarded one, each with the better of its pools, by load and callers. */
import type { Cell, Result } from "../run-rounds.ts";
import { summarize } from "../statistics.ts";
import { allCpuUs, type Load, type Measured, type SubjectName, transferLoads } from "../subject.ts";
import { type Column, divide, figuresTable, measuredColumns } from "./figures-table.ts";
import { loadTitles } from "./titles.ts";

/** The subjects whose windows are needed. */
export const peerSubjects = [
  "e2e",
  "tpcb",
  "usual8",
  "usual20",
  "guarded8",
  "guarded20",
] as const satisfies readonly SubjectName[];

/** Windows of one round, under the same load and as many callers. */
interface Round {
  readonly ours: Measured;
  readonly guarded: Measured | undefined;
  readonly usual: Measured | undefined;
  /** TPC-B with one client, beside one caller on accounts at random. */
  readonly tpcb: Measured | undefined;
}

const { rate, p50, node, postgres } = measuredColumns;
const cpuColumns = (["ours", "guarded", "usual"] as const).flatMap((name): readonly Column<Round>[] =>
  [node, postgres].map(({ title, of }) => ({
    title: `${name}: ${title}`,
    of: ({ [name]: window }) => window && of(window),
  })),
);
const columns: readonly Column<Round>[] = [
  { ...rate, of: ({ ours }) => ours.perSecond },
  { title: "/ guarded", of: ({ ours, guarded }) => divide(ours.perSecond, guarded?.perSecond), withSpread: true },
  { title: "/ usual", of: ({ ours, usual }) => divide(ours.perSecond, usual?.perSecond), withSpread: true },
  { ...p50, of: ({ ours }) => ours.p50Ms },
  { title: "p50 / guarded", of: ({ ours, guarded }) => divide(ours.p50Ms, guarded?.p50Ms), withSpread: true },
  { title: "p50 / usual", of: ({ ours, usual }) => divide(ours.p50Ms, usual?.p50Ms), withSpread: true },
  { title: "p50 / TPC-B", of: ({ ours, tpcb }) => divide(ours.p50Ms, tpcb?.p50Ms), withSpread: true },
  { title: "CPU / usual", of: ({ ours, usual }) => divide(allCpuUs(ours), usual && allCpuUs(usual)) },
  ...cpuColumns,
];

/** Empty unless the service was measured beside one of them. */
export function peersTable(results: readonly Result[]): string {
  const wholes = transferLoads.flatMap((load) =>
    results
      .filter(({ cell }) => cell.subject === "e2e" && cell.load === load)
      .toSorted((one, other) => one.cell.callers - other.cell.callers),
  );
  const rows = wholes.flatMap(({ cell, windows }) => {
    const usual = betterOf(results, cell, ["usual8", "usual20"]);
    const guarded = betterOf(results, cell, ["guarded8", "guarded20"]);
    if (usual === undefined && guarded === undefined) return [];
    const tpcb =
      cell.load === "uniform" && cell.callers === 1 ? find(results, { ...cell, subject: "tpcb" }) : undefined;
    const rounds = windows.map((ours, round) => ({
      ours,
      guarded: guarded?.windows[round],
      usual: usual?.windows[round],
      tpcb: tpcb?.windows[round],
    }));
    const pools = [guarded, usual].flatMap((peer) => peer?.cell.subject ?? []).join(", ");
    return [[`${titleOf(cell.load, cell.callers)}: ${pools}`, rounds] as const];
  });
  if (rows.length === 0) return "";
  return [
    "## Peers: medians of the rounds (least - most); ratios within a round, to the pool of the higher median rate",
    figuresTable("load, callers: pools", columns, rows),
  ].join("\n\n");
}

/** The one of the higher median rate. */
function betterOf(results: readonly Result[], cell: Cell, subjects: readonly SubjectName[]): Result | undefined {
  const medianOf = ({ windows }: Result) => summarize(windows.map(({ perSecond }) => perSecond))?.median ?? 0;
  return subjects
    .flatMap((subject) => find(results, { ...cell, subject }) ?? [])
    .toSorted((one, other) => medianOf(other) - medianOf(one))[0];
}

function find(results: readonly Result[], { subject, load, callers }: Cell): Result | undefined {
  return results.find(({ cell }) => cell.subject === subject && cell.load === load && cell.callers === callers);
}

function titleOf(load: Load, callers: number): string {
  return `${loadTitles[load]}, ${callers}`;
}
