/** Rules about several files: what no file shows by itself. Each has a planted violation in scripts/planted. */
import { posix } from "node:path";
import { subjectFirst } from "./comments.ts";
import type { Finding, Place, SourceFile, TreeRule } from "./rule.ts";
import { isSource } from "./rules.ts";

const filesMax = 16;

export const treeRules: readonly TreeRule[] = [
  {
    name: "one-way-folders",
    sentence:
      "No two folders import each other, parent and child aside: move what both need to a third one, or above both.",
    find: findMutualImports,
  },
  {
    name: "short-folders",
    sentence: `A folder has at most ${filesMax} source files, tests aside: split it by what its files are about.`,
    find: (files) =>
      [...Map.groupBy(sourcesOf(files), ({ path }) => posix.dirname(path)).values()]
        .flatMap((sources) => sources.slice(filesMax, filesMax + 1))
        .map(({ path }) => ({ path, line: 1 })),
  },
  subjectFirst,
];

export function checkTree(files: readonly SourceFile[]): Finding[] {
  return treeRules.flatMap(({ sentence, find }) => find(files).map((place) => ({ ...place, sentence })));
}

function sourcesOf(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter(({ path }) => isSource(path));
}

interface FolderImport extends Place {
  readonly from: string;
  readonly to: string;
}

/** Imports between two folders that import each other, of the direction that has fewer. */
function findMutualImports(files: readonly SourceFile[]): readonly Place[] {
  const byFolders = Map.groupBy(sourcesOf(files).flatMap(importsOf), ({ from, to }) => `${from} ${to}`);
  return [...byFolders.values()].flatMap((imports) => {
    const [{ from, to } = { from: "", to: "" }] = imports;
    const back = byFolders.get(`${to} ${from}`);
    if (back === undefined || contains(from, to) || contains(to, from)) return [];
    const isFewer = imports.length < back.length || (imports.length === back.length && from < to);
    return isFewer ? imports : [];
  });
}

/** The file's imports of other folders. */
function importsOf({ path, lines }: SourceFile): readonly FolderImport[] {
  const text = lines.join("\n");
  return [...text.matchAll(/\b(?:from|import)[\s(]*"(\.[^"]*)"/g)].flatMap(({ 1: target = "", index }) => {
    const folders = partAt(posix.dirname(path), posix.dirname(posix.join(posix.dirname(path), target)));
    return folders === undefined ? [] : [{ ...folders, path, line: text.slice(0, index).split("\n").length }];
  });
}

/** The folders below the nearest common one by which the two part; undefined where they are the same. */
function partAt(from: string, to: string): { readonly from: string; readonly to: string } | undefined {
  if (from === to) return undefined;
  const [here, there] = [from.split("/"), to.split("/")];
  const length = here.findIndex((name, at) => name !== there[at]);
  const end = (length === -1 ? here.length : length) + 1;
  return { from: here.slice(0, end).join("/"), to: there.slice(0, end).join("/") };
}

function contains(outer: string, inner: string): boolean {
  return inner.startsWith(`${outer}/`);
}
