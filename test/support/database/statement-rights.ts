/** The rights that statements need, read from the sources that hold SQL. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Right } from "../../../packages/server/src/store/schema/rights.ts";

export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface NeededRight extends Right {
  /** Path of the statement's source. */
  readonly path: string;
}

const root = resolve(import.meta.dirname, "../../..");
const patterns = ["packages/server/src/{store,views}/**/*.ts", "packages/sandbox/src/{rails,faults}/*-table.ts"];
/** Statements of the database's owner. */
const owners =
  /\/(schema\/(migrate|adopt-migrations|same-schema|concurrent-migration|rights|roles)|partitions\/(detach|search)|reference\/sealed-texts)\.ts$/;
/** Functions of the schema that run with the rights of their caller. */
const functions = ["0051-compaction-by-version.sql", "0052-short-batches.sql"].map(
  (name) => `packages/server/src/store/migrations/${name}`,
);

/** Sources with the statements of service and administration. */
export function readSources(): readonly Source[] {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  return [...paths, ...functions]
    .filter((path) => !path.endsWith(".test.ts") && !owners.test(path))
    .map((path) => ({ path, text: readFileSync(resolve(root, path), "utf8") }));
}

/** @throws where a statement's table is not written out, so that nobody could say which right it needs. */
export function neededRights(sources: readonly Source[]): readonly NeededRight[] {
  return sources.flatMap(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)(\/\/|--).*$/gm, "$1");
    // The file of `insertRows` and its like has no table of its own: their calls name one.
    const found = path.endsWith("/row-statements.ts") ? [] : [...plainStatements(path, code), ...rowStatements(code)];
    return found.map((right) => ({ ...right, path }));
  });
}

const statement = /\b(insert into|delete from|update) (\$\{table\}|\w+)|\bdo update set\b|\bfor (?:no key )?update\b/g;

function plainStatements(path: string, code: string): readonly Right[] {
  let inserted = "";
  return [...code.matchAll(statement)].flatMap(({ 0: text, 1: verb, 2: table = "", index }): readonly Right[] => {
    const rest = code.slice(index + text.length);
    if (table === "${table}")
      throw new Error(`${path}: write the table of "${text}" out, so that its right can be looked for`);
    if (text === "do update set") return updates(inserted, rest);
    if (text.startsWith("for ")) return locks(code.slice(0, index));
    if (verb === "insert into") {
      inserted = table;
      return [{ table, verb: "insert" }];
    }
    if (verb === "delete from") return [{ table, verb: "delete" }];
    const assigned = /^(?: (?:as )?\w+)?\s+set\s/.exec(rest);
    return assigned ? updates(table, rest.slice(assigned[0].length)) : [];
  });
}

/** A lock of rows needs the right to update some column; tables of `createRowLocks` are named by its calls. */
function locks(before: string): readonly Right[] {
  const table = [...withoutGroups(before).matchAll(/\bfrom (\$\{table\}|\w+)/g)].at(-1)?.[1];
  return table === undefined || table === "${table}" ? [] : [{ table, verb: "update" }];
}

/** Columns of `a = …, b = … where`. */
function updates(table: string, assignments: string): readonly Right[] {
  return partsOf(assignments).map((part) => {
    const column = /^\s*(\w+)\s*=/.exec(part)?.[1];
    if (column === undefined) throw new Error(`update of ${table}: which column does "${part}" set?`);
    return { table, verb: "update", column };
  });
}

/** Split at commas outside parentheses, up to the end of the assignments. */
function partsOf(assignments: string): readonly string[] {
  let depth = 0;
  const parts = [""];
  for (const word of assignments.split(/(\b(?:from|where|returning|end)\b|[(),`;"])/)) {
    if (depth === 0 && /^(from|where|returning|[)`;"])$/.test(word)) break;
    if (word === "(") depth += 1;
    if (word === ")") depth -= 1;
    if (word === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += word;
  }
  return parts;
}

/** Statements of `insertRows`, `encodeInsert`, `updateRows` and `createRowLocks`. */
function rowStatements(code: string): readonly Right[] {
  const rights: Right[] = [];
  for (const { 1: table = "" } of code.matchAll(/\binsertRows(?:<\w+>)?\(\s*"(\w+)"/g))
    rights.push({ table, verb: "insert" });
  for (const { 1: table = "" } of code.matchAll(/\bcreateRowLocks(?:<\w+>)?\(\s*"(\w+)"/g))
    rights.push({ table, verb: "update" });
  for (const { 1: name, index } of code.matchAll(/= (encodeInsert|updateRows)(?:<\w+>)?\(/g)) {
    const call = blockFrom(code, code.indexOf("{", index));
    const table = /\btable: "(\w+)"/.exec(call)?.[1] ?? "";
    if (name === "encodeInsert") rights.push({ table, verb: "insert" });
    else for (const column of columnsOf(call)) rights.push({ table, verb: "update", column });
  }
  return rights;
}

/** The members of `set` and `also`. */
function columnsOf(call: string): readonly string[] {
  return [...call.matchAll(/\b(?:set|also): \{/g)].flatMap(({ index }) => {
    const block = blockFrom(call, call.indexOf("{", index)).slice(1, -1);
    return [...withoutGroups(block.replaceAll(/"[^"]*"|\{[^{}]*\}/g, "")).matchAll(/(\w+):/g)].map(
      ([, column]) => column ?? "",
    );
  });
}

/** From an opening brace to its closing one. */
function blockFrom(code: string, start: number): string {
  let depth = 0;
  for (let end = start; end < code.length; end += 1) {
    if (code[end] === "{") depth += 1;
    if (code[end] === "}") depth -= 1;
    if (depth === 0) return code.slice(start, end + 1);
  }
  throw new Error("a brace is not closed");
}

/** Without what stands in closed parentheses. */
function withoutGroups(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, "");
  return shorter === text ? text : withoutGroups(shorter);
}
