/**
 * Prints the statements of the sources that hold SQL, as JSON: each text that begins like one is evaluated where its module's
 * constants are known, and each that a module makes of a table is noted while the module is loaded. A process of its own, since the
 * modules are loaded with these additions.
 */
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../../..");
const sources = globSync(
  ["packages/server/src/{store,views}/**/*.ts", "packages/sandbox/src/{rails,faults}/*-table.ts"],
  {
    cwd: root,
  },
).filter((path) => !path.endsWith(".test.ts"));

interface Additions {
  /** Tag of each text that begins like a statement. */
  noteStatement: (parts: TemplateStringsArray, ...values: readonly unknown[]) => string;
  /** A text that needs what only its function knows is told by its source. */
  noteEvaluated: (evaluate: () => string, source: string) => void;
  /** Stands in for that variable of `replays.ts`. */
  selection: object;
}
const texts = new Set<string>();
const unknown: string[] = [];
const additions: Additions = {
  noteStatement: (parts, ...values) => {
    const text = String.raw({ raw: parts }, ...values);
    texts.add(text);
    return text;
  },
  noteEvaluated: (evaluate, source) => {
    try {
      texts.add(evaluate());
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      unknown.push(source);
    }
  },
  selection: {},
};
Object.assign(globalThis, additions);

/** Comments, in which nothing is looked for, and where a literal begins. */
const next = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|["`]/g;

/** Position behind the literal that begins here. */
function endOf(code: string, start: number): number {
  const quote = code[start];
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === quote) return at + 1;
    if (code[at] === "\\") at += 1;
    else if (quote === "`" && code.startsWith("${", at)) at = endOfInserted(code, at + 2);
  }
  throw new Error(`a literal is not closed: ${code.slice(start, start + 80)}`);
}

/** Position of the brace that closes what is inserted. */
function endOfInserted(code: string, start: number): number {
  for (let at = start, depth = 1; at < code.length; at += 1) {
    if (code[at] === "{") depth += 1;
    if (code[at] === "}") depth -= 1;
    if (depth === 0) return at;
    if (code[at] === "`" || code[at] === '"') at = endOf(code, at) - 1;
  }
  throw new Error(`a brace is not closed: ${code.slice(start, start + 80)}`);
}

function withNotes(code: string): string {
  const parts: string[] = [];
  const added: string[] = [];
  for (let at = 0; ; ) {
    next.lastIndex = at;
    const found = next.exec(code);
    parts.push(code.slice(at, found?.index));
    if (found === null) return [...parts, ...added].join("");
    const [first] = found;
    at = first.length > 1 ? next.lastIndex : endOf(code, found.index);
    const source = code.slice(found.index, at);
    const isStatement = /^.\s*(?:with|select|insert|update(?! \()|delete)\s/.test(source);
    if (isStatement) added.push(`\nnoteEvaluated(() => ${source}, ${JSON.stringify(source)});`);
    parts.push(isStatement && first === "`" ? `noteStatement${source}` : source);
  }
}

registerHooks({
  load: (url, context, loadNext) => {
    const loaded = loadNext(url, context);
    const isSource = url.startsWith("file:") && sources.includes(fileURLToPath(url).slice(root.length + 1));
    return isSource ? { ...loaded, source: withNotes(String(loaded.source)) } : loaded;
  },
});
for (const path of sources) await import(pathToFileURL(resolve(root, path)).href);
process.stdout.write(JSON.stringify({ texts: [...texts], unknown }));
