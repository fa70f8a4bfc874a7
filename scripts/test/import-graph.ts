/**
 * Graph of the files to which a file leads: by an import, or by a path or package that it names in a string, such as
 * the program it starts or the folder it reads.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";

export interface ImportGraph {
  /** All that the file leads to, itself among them; paths from the root of the repository. */
  reachedFrom(file: string): ReadonlySet<string>;
}

const code = /\.(ts|tsx|mjs|cjs|js)$/;
const strings = /"([^"\n]+)"|'([^'\n]+)'|`([^`\n$]+)`/g;

/** Paths that are put together of parts, which no string holds. */
const assembled: Readonly<Record<string, readonly string[]>> = {
  "scripts/demo.ts": ["examples/"],
  "scripts/install/ensure-console.cjs": ["packages/console/"],
};

const sameNameMost = 3;

/** `files`: those of the repository, from its root. */
export function createImportGraph(root: string, files: readonly string[]): ImportGraph {
  const known = new Set(files);
  const entries = readEntries(root, files);
  const direct = new Map<string, readonly string[]>();
  const named = Map.groupBy(
    files.filter((file) => basename(file).includes(".")),
    (file) => basename(file),
  );
  const below = (folder: string) => files.filter((file) => file.startsWith(folder));

  const resolveText = (from: string, text: string): readonly string[] => {
    const entry = entries.get(text);
    if (entry !== undefined) return [entry];
    const path = text.replace(/[?#].*$/, "");
    const places = [join(dirname(from), path), normalize(path)];
    const exact = places.filter((place) => known.has(place));
    if (exact.length > 0) return exact;
    // A name alone, which is joined to a folder's elsewhere; too many files have some.
    const same = named.get(path) ?? [];
    if (!path.includes("/")) return same.length > sameNameMost ? [] : same;
    // A folder stands for what is in it; the root itself, and the folders that hold everything, for nothing.
    return places
      .map((place) => `${place.replace(/\/$/, "")}/`)
      .filter((folder) => !folder.startsWith(".") && folder.split("/").length >= 3)
      .flatMap(below);
  };
  const leadsTo = (file: string): readonly string[] => {
    const found = direct.get(file) ?? [
      ...textsOf(root, file).flatMap((text) => resolveText(file, text)),
      ...(assembled[file] ?? []).flatMap(below),
    ];
    direct.set(file, found);
    return found;
  };
  return {
    reachedFrom: (file) => {
      const reached = new Set([file]);
      for (const one of reached) for (const next of leadsTo(one)) reached.add(next);
      return reached;
    },
  };
}

function textsOf(root: string, file: string): readonly string[] {
  if (!code.test(file) || !existsSync(join(root, file))) return [];
  const found = readFileSync(join(root, file), "utf8").matchAll(strings);
  return [...found].map(([, double, single, template]) => double ?? single ?? template ?? "");
}

/** The source of each entry of each package, by what an import calls it. */
function readEntries(root: string, files: readonly string[]): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const file of files.filter((one) => /^packages\/[^/]+\/package\.json$/.test(one))) {
    const manifest: { name: string; exports?: Record<string, string | { source?: string }> } = JSON.parse(
      readFileSync(join(root, file), "utf8"),
    );
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      const source = typeof target === "string" ? target : target.source;
      if (source !== undefined) entries.set(join(manifest.name, path), join(dirname(file), source));
    }
  }
  return entries;
}
