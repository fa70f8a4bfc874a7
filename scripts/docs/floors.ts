/** Packages and floors as docs/architecture.md draws them: from the import table, which the linter holds the code to. */
import type { ImportRow } from "../lint/import-table.ts";
import type { Drawing } from "./drawing.ts";

/** Folders that each may import. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const packageFiles = /^packages\/([\w-]+)\/src\//;
const folderFiles = /^packages\/server\/src\/(\w+)\//;
/** Every floor may import these, or imports everything: arrows to and from them would say nothing. */
const everywhere: ReadonlySet<string> = new Set([
  "basics",
  "compose",
  "config",
  "entries",
  "interfaces",
  "observability",
]);

export function drawPackages(table: readonly ImportRow[]): Drawing {
  return { name: "packages", lines: draw(importsOf(table, packageOf, importedPackages)) };
}

export function drawFloors(table: readonly ImportRow[]): Drawing {
  const imports = importsOf(table, floorOf, ({ folders = [] }) =>
    folders.map((folder) => folder.split("/")[0] ?? "").filter((folder) => !everywhere.has(folder)),
  );
  return { name: "floors", lines: draw(imports) };
}

const packageOf = ({ files }: ImportRow) => packageFiles.exec(files)?.[1];

function floorOf({ files }: ImportRow): string | undefined {
  const folder = folderFiles.exec(files)?.[1];
  return folder === undefined || everywhere.has(folder) ? undefined : folder;
}

function importedPackages({ packages }: ImportRow): readonly string[] {
  return packages.flatMap((name) => /^@titian\/([\w-]+)/.exec(name)?.[1] ?? []);
}

function importsOf(
  table: readonly ImportRow[],
  nameOf: (row: ImportRow) => string | undefined,
  importedBy: (row: ImportRow) => readonly string[],
): Imports {
  const imports = new Map<string, Set<string>>();
  for (const row of table) {
    const name = nameOf(row);
    if (name === undefined) continue;
    const own = imports.get(name) ?? new Set<string>();
    for (const imported of importedBy(row)) if (imported !== name) own.add(imported);
    imports.set(name, own);
  }
  return imports;
}

/** An arrow for each import that no other way leads along. */
function draw(imports: Imports): readonly string[] {
  const reached = (from: string): ReadonlySet<string> =>
    new Set([...(imports.get(from) ?? [])].flatMap((next) => [next, ...reached(next)]));
  const arrows = [...imports].flatMap(([from, direct]) => {
    const further = new Set([...direct].flatMap((next) => [...reached(next)]));
    return [...direct].filter((to) => !further.has(to)).map((to) => `  ${from} --> ${to}`);
  });
  const drawn = new Set(arrows.flatMap((arrow) => arrow.trim().split(" --> ")));
  const alone = [...imports.keys()].filter((name) => !drawn.has(name)).map((name) => `  ${name}`);
  return ["```mermaid", "flowchart TD", ...arrows, ...alone, "```"];
}
