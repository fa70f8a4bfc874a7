/** Starts of the sandbox, by phases: with an empty data directory, with one that is there, and by npm. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import type { MeasurePart } from "../parts.ts";
import { type Column, figuresTable } from "../report/figures-table.ts";
import { runStart, type Start } from "./run-start.ts";

const kinds = {
  cold: "empty data directory",
  warm: "data directory there",
  npm: "the same by `npm start`",
} as const;
type Kind = keyof typeof kinds;
type Round = Readonly<Record<Kind, Start>>;

export const measureStart: MeasurePart = async ({ rounds, before, onProgress }, publish) => {
  const own = { name: "this tree", tree: resolve(import.meta.dirname, "../.."), rounds: [] as Round[] };
  const other = before === undefined ? [] : [{ name: "before", tree: resolve(before), rounds: [] as Round[] }];
  const trees = [own, ...other];
  const boots: number[] = [];
  // Compiled modules are kept between starts: the first fills that cache.
  for (const { tree } of trees) await runRound(tree);
  for (let round = 1; round <= rounds; round += 1) {
    boots.push(bootMs());
    for (const { name, tree, rounds: measured } of trees) {
      const one = await runRound(tree);
      measured.push(one);
      onProgress(
        `starts ${round}/${rounds}  ${name}: ${one.cold.readyMs.toFixed(0)} and ${one.warm.readyMs.toFixed(0)} ms`,
      );
    }
  }
  const rows = trees.flatMap((tree) =>
    (Object.keys(kinds) as Kind[]).map(
      (kind) => [`${tree.name}, ${kinds[kind]}`, tree.rounds.map((round) => round[kind])] as const,
    ),
  );
  const bare = figuresTable(
    "",
    [{ title: "ms", of: (ms: number) => ms, withSpread: true }],
    [["Node that does nothing", boots]],
  );
  const report = [
    "## Starts of the sandbox: medians of the rounds (least - most)",
    figuresTable("", columns, rows),
    bare,
  ];
  publish({ report: report.join("\n\n"), figures: { starts: { boots, trees } } });
};

async function runRound(tree: string): Promise<Round> {
  const directory = mkdtempSync(join(tmpdir(), "titian-start-"));
  try {
    const dataDir = join(directory, "data");
    const cold = await runStart({ tree, dataDir, byNpm: false });
    const warm = await runStart({ tree, dataDir, byNpm: false });
    return { cold, warm, npm: await runStart({ tree, dataDir, byNpm: true }) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function bootMs(): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ["-e", ""]);
  return performance.now() - startedAt;
}

const between = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? undefined : to - from;

const columns: readonly Column<Start>[] = [
  { title: "ready, ms", of: ({ readyMs }) => readyMs, withSpread: true },
  { title: "modules", of: ({ loadedMs }) => loadedMs },
  { title: "cluster made", of: ({ loadedMs, createdMs }) => between(loadedMs, createdMs) },
  { title: "migrations", of: ({ createdMs, migratedMs }) => between(createdMs, migratedMs) },
  { title: "filled, listening", of: ({ migratedMs, readyMs }) => between(migratedMs, readyMs) },
  {
    title: "PostgreSQL, checks, listening",
    of: ({ createdMs, loadedMs, readyMs }) => (createdMs === undefined ? readyMs - loadedMs : undefined),
  },
  { title: "Node CPU ms", of: ({ nodeUs }) => nodeUs && nodeUs / 1_000 },
  { title: "PostgreSQL CPU ms", of: ({ postgresUs }) => postgresUs && postgresUs / 1_000 },
];
