/** The register of open questions (spec D20), one entry a line: what was open, what was decided, which test shows it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Drift } from "./document.ts";

export const lastDecision = 20;
const withoutTest = ["to come", "nothing to test"];

/** The text of docs/ambiguities.json for these entries. */
export function writeRegister(entries: readonly unknown[]): string {
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`;
}

/** `text` is that of docs/ambiguities.json. */
export function checkRegister(text: string, root: string): Drift[] {
  const register: unknown = JSON.parse(text);
  if (!Array.isArray(register)) return [drift("the register is a list of entries")];
  if (text !== writeRegister(register)) return [drift("each entry is one line, as JSON.stringify writes it")];
  const faults = register.map((entry: unknown) => checkEntry(entry, root));
  const seen = new Set<unknown>();
  for (const [index, entry] of register.entries()) {
    const id: unknown = entry?.id;
    if (seen.has(id)) faults[index]?.push(`the id ${String(id)} is taken`);
    if (id !== undefined) seen.add(id);
  }
  return faults.flatMap((texts, index) => texts.map((message) => drift(message, index + 2)));
}

function checkEntry(entry: unknown, root: string): string[] {
  if (typeof entry !== "object" || entry === null) return ["is no object"];
  const fields: Readonly<Record<string, unknown>> = { ...entry };
  const faults: string[] = [];
  const decision = fields["decision"];
  if (typeof decision !== "string" || decision === "") faults.push("`decision` is missing");
  if (!("setting" in fields)) faults.push("`setting` is missing; null where there is none");
  const numbers = [...JSON.stringify(entry).matchAll(/\bD(\d+)\b/g)].map(([, number]) => Number(number));
  faults.push(
    ...numbers.filter((number) => number < 1 || number > lastDecision).map((number) => `there is no D${number}`),
  );
  return [...faults, ...checkTests(fields, root)];
}

/** An entry has a test, or says in `state` why it has none. */
function checkTests({ state, test }: Readonly<Record<string, unknown>>, root: string): string[] {
  if (test === null && withoutTest.some((reason) => reason === state)) return [];
  const tests = [test].flat();
  return tests.length === 0 ? ["`test` is missing"] : tests.flatMap((one) => checkTest(one, root));
}

/** A test is named by its file; behind `#` may stand which one of it, as it is written there. */
function checkTest(test: unknown, root: string): string[] {
  if (typeof test !== "string" || test === "") return ["`test` is missing"];
  const [file = "", name = ""] = test.split(/#(.*)/s);
  if (!existsSync(join(root, file))) return [`there is no ${file}`];
  const text = readFileSync(join(root, file), "utf8");
  return text.includes(name) ? [] : [`${file} has no test "${name}"`];
}

function drift(message: string, line = 1): Drift {
  return { path: "docs/ambiguities.json", line, message };
}
