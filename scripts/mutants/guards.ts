/** Guards of the server, found in its sources: each must have a mutant, or stand in `unplanted.txt` with a reason. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Mutant, type Range, rangeOf, serverSources } from "./mutant.ts";

export interface Guard extends Range {
  readonly kind: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, trimmed. */
  readonly text: string;
}

interface GuardKind {
  readonly kind: string;
  readonly files: RegExp;
  readonly pattern: RegExp;
}

const writes = /^store\/(tables|postgres|schema|partitions|reference|migrations)\/|^(engine|rails|jobs|notify)\//;

const kinds: readonly GuardKind[] = [
  { kind: "row lock", files: writes, pattern: /for (?:no key )?update\b|skip locked|lock table/ },
  { kind: "old version", files: writes, pattern: /=> update\.old|\.version !==|\bonlyAtVersion !==/ },
  { kind: "counted rows", files: /^store\/(tables|statements)\//, pattern: /select 1 \/ \(case/ },
  {
    kind: "state",
    files: /^store\/tables\//,
    pattern:
      /(?<!set )\bstate(?:_before_replay)? (?:=|<>|is|in) (?!case)|\bis_open\b(?!:)|\battempt_count = (?!attempt_count)/,
  },
  { kind: "existing row", files: /^store\/(tables|postgres|schema|partitions)\//, pattern: /\bexists \(/ },
  { kind: "conflict", files: writes, pattern: /\bon conflict\b/ },
  { kind: "warning", files: /^store\/postgres\//, pattern: /!warned\b|\bwarned(?:\(\)| = | \}(?![:,]))/ },
  { kind: "unconfirmed commit", files: writes, pattern: /!(?:kept\.)?commit\b/ },
  { kind: "check constraint", files: /^store\/migrations\//, pattern: /\bcheck \(/ },
  { kind: "unique key", files: /^store\/migrations\//, pattern: /\bunique\b|\bprimary key\b/ },
  { kind: "trigger", files: /^store\/migrations\//, pattern: /\bcreate trigger\b/ },
  { kind: "rejection", files: /^ledger\//, pattern: /\breject\("/ },
  { kind: "impossible effect", files: /^(?:engine\/(?:rows|batch)|ledger)\//, pattern: /\bthrow new / },
];

function findGuards(root: string): readonly Guard[] {
  const files = globSync(`${serverSources}/{store,engine,ledger,rails,jobs,notify}/**/*.{ts,sql}`, { cwd: root });
  return files
    .filter((path) => !path.endsWith(".test.ts"))
    .sort()
    .flatMap((path) => guardsOf(path, readFileSync(join(root, path), "utf8")));
}

/** Guards of one file, at most one of each kind a line. */
export function guardsOf(path: string, content: string): readonly Guard[] {
  const name = path.slice(serverSources.length + 1);
  const found = kinds.filter(({ files }) => files.test(name));
  const guards: Guard[] = [];
  let [start, before] = [0, 0];
  for (const [index, line] of content.split("\n").entries()) {
    for (const { kind, pattern } of isComment(line) ? [] : found) {
      const match = pattern.exec(line);
      if (!match) continue;
      // Its condition stands in the line before.
      const from = /^\s*(?:throw|return) /.test(line) ? before : start + match.index;
      const end = start + match.index + match[0].length;
      guards.push({ kind, path, line: index + 1, text: line.trim(), start: from, end });
    }
    [start, before] = [start + line.length + 1, start];
  }
  return guards;
}

function isComment(line: string): boolean {
  return /^\s*(\/\*\*|\*|\/\/|--)/.test(line);
}

export interface Unplanted {
  /** A file, or a folder with a slash at its end. */
  readonly path: string;
  /** Text of the guard's line; `*`: all guards. */
  readonly text: string;
  readonly reason: string;
}

/** `path :: text of the line :: reason`, a line each. */
export function parseUnplanted(list: string): readonly Unplanted[] {
  return list
    .split("\n")
    .filter((line) => line.includes(" :: "))
    .map((line) => {
      const [path = "", text = "", reason = ""] = line.split(" :: ");
      return { path: `${serverSources}/${path}`, text, reason };
    });
}

function covers({ path, text }: Unplanted, guard: Guard): boolean {
  const isIn = path.endsWith("/") ? guard.path.startsWith(path) : guard.path === path;
  return isIn && (text === "*" || guard.text.includes(text));
}

export interface Gaps {
  /** Guards that no mutant breaks and no line of `unplanted.txt` names. */
  readonly guards: readonly Guard[];
  /** Lines of `unplanted.txt` that name no guard. */
  readonly unplanted: readonly Unplanted[];
}

export function findGaps(root: string, mutants: readonly Mutant[], unplanted: readonly Unplanted[]): Gaps {
  const all = findGuards(root);
  const contents = new Map(
    [...new Set(mutants.map(({ path }) => path))].map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
  const ranges = Map.groupBy(mutants, ({ path }) => path);
  const isPlanted = ({ path, start, end }: Guard) =>
    (ranges.get(path) ?? []).some((mutant) => {
      const range = rangeOf(mutant, contents.get(path) ?? "");
      return start < range.end && range.start < end;
    });
  return {
    guards: all.filter((guard) => !isPlanted(guard) && !unplanted.some((one) => covers(one, guard))),
    unplanted: unplanted.filter((one) => !all.some((guard) => covers(one, guard))),
  };
}
