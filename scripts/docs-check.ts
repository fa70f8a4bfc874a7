/** `npm run docs:check`: what the documents say against what is. Prints `path:line: error: what`. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { operationRows } from "@titian/contract";
import { pendingOperations } from "../packages/server/src/operations/handlers.ts";
import { checkDecisions } from "./docs/decisions.ts";
import { readDocuments } from "./docs/document.ts";
import { checkOperations, type OperationFacts } from "./docs/operations-table.ts";
import { checkCommands, checkFileNames, checkLinks, checkSettings } from "./docs/references.ts";
import { checkRegister } from "./docs/register.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

function readOperations(): OperationFacts[] {
  const pending: readonly string[] = pendingOperations;
  return operationRows.map(({ code, name, path, direction }) => ({
    code,
    name,
    path,
    works: direction === "toPartner" ? undefined : !pending.includes(name),
  }));
}

const documents = readDocuments(root);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
const readme = documents.find(({ path }) => path === "README.md");
const register = "docs/ambiguities.json";
const drifts = [
  ...checkCommands(documents, Object.keys(scripts)),
  ...checkLinks(documents, root),
  ...checkFileNames(documents, root),
  ...checkSettings(documents, read("packages/server/src/config.ts")),
  ...checkDecisions(documents),
  ...(readme === undefined ? [] : checkOperations(readme, readOperations())),
  ...(existsSync(join(root, register)) ? checkRegister(JSON.parse(read(register)), root) : []),
];
for (const { path, line, message } of drifts) console.error(`${path}:${line}: error: ${message}`);
if (drifts.length > 0) process.exitCode = 1;
else console.log(`docs: ${documents.length} documents agree with the repository`);
