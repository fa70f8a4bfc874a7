/** Everything a run has measured in one table: each cell, and the service beside it in the same rounds. */
import { clientsMost } from "../pgbench/run-pgbench.ts";
import type { Cell, Result } from "../run-rounds.ts";
import { allCpuUs, loadNames, type Measured, subjectNames } from "../subject.ts";
import { type Column, divide, figuresTable, measuredColumns } from "./figures-table.ts";
import { loadTitles, subjectTitles } from "./titles.ts";

/**
 * A window of a cell; `ours`: the service end to end, same load, callers and round, with two nodes beside two of before;
 * `uniform`: the cell's subject, uniform.
 */
interface Compared {
  readonly cell: Cell;
  readonly window: Measured;
  readonly ours: Measured | undefined;
  readonly uniform: Measured | undefined;
}

const { rate, p50, p99, postgres, node, wal, others } = measuredColumns;
const columns: readonly Column<Compared>[] = [
  ...[rate, p50, p99, postgres, node, wal].map((column) => ({
    ...column,
    of: ({ window }: Compared) => column.of(window),
  })),
  {
    title: "our rate / its",
    of: ({ window, ours }) => divide(ours?.perSecond, window.perSecond),
    withSpread: true,
  },
  {
    title: "our p50 / its",
    of: ({ cell, window, ours }) => (hasFewerCallers(cell) ? undefined : divide(ours?.p50Ms, window.p50Ms)),
  },
  { title: "its CPU / ours", of: ({ window, ours }) => divide(allCpuUs(window), ours && allCpuUs(ours)) },
  { title: "rate / uniform", of: ({ window, uniform }) => divide(window.perSecond, uniform?.perSecond) },
  { title: others.title, of: ({ window }) => others.of(window) },
];

export function comparisonTable(results: readonly Result[]): string {
  const windowsOf = (wanted: Cell) =>
    results.find(
      ({ cell: { subject, load, callers } }) =>
        subject === wanted.subject && load === wanted.load && callers === wanted.callers,
    )?.windows;
  const order = ({ cell: { load, callers, subject } }: Result) =>
    (loadNames.indexOf(load) * 10_000 + callers) * 100 + subjectNames.indexOf(subject);
  const rows = results
    .toSorted((one, other) => order(one) - order(other))
    .map(({ cell, windows }) => {
      const subject = cell.subject === "before2" ? "e2e2" : "e2e";
      const ours = cell.subject === subject ? undefined : windowsOf({ ...cell, subject });
      const uniform = cell.load === "uniform" ? undefined : windowsOf({ ...cell, load: "uniform" });
      const compared = windows.map((window, round) => ({
        cell,
        window,
        ours: ours?.[round],
        uniform: uniform?.[round],
      }));
      return [titleOf(cell, subjectTitles), compared] as const;
    });
  return [
    "## Medians of the rounds (least - most); ours: end to end, in the same round, under the same load",
    figuresTable("load, callers: what is called", columns, rows),
  ].join("\n\n");
}

/** Says which rows have windows that stayed disturbed after all tries; empty where there are none. */
export function writeDisturbed<Name extends string>(
  results: readonly Result<Name>[],
  { othersMost, titles }: { readonly othersMost: number; readonly titles: Readonly<Record<Name, string>> },
): string {
  const rows = results.flatMap(({ cell, windows }) => {
    const count = windows.filter(({ othersShare = 0 }) => othersShare > othersMost).length;
    return count === 0 ? [] : [`- ${titleOf(cell, titles)}: ${count} of ${windows.length} windows`];
  });
  if (rows.length === 0) return "";
  const share = (othersMost * 100).toFixed(0);
  return [`## DISTURBED: other processes took more than ${share} % after every try`, rows.join("\n")].join("\n\n");
}

/** They wait for each other less, and their latencies are no comparison. */
function hasFewerCallers({ subject, callers }: Cell): boolean {
  return (subject === "tpcb" || subject === "sql") && callers > clientsMost;
}

function titleOf<Name extends string>(
  { subject, load, callers }: Cell<Name>,
  titles: Readonly<Record<Name, string>>,
): string {
  return `${loadTitles[load]}, ${callers}: ${titles[subject]}`;
}
