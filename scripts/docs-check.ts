/** `npm run docs:check`: what the documents say against what is. Prints `path:line: error: what`. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fieldDescriptions, operationRows } from "@titian/contract";
import { controlCalls } from "@titian/control";
import { startChecks } from "../packages/server/src/compose/start/start-checks.ts";
import { securityEvents } from "../packages/server/src/observability/security/security-event.ts";
import { sandboxCalls } from "../packages/sandbox/src/control/sandbox-routes.ts";
import { checkAdrs } from "./docs/adr.ts";
import { checkCollections, drawCollections, listCollections } from "./docs/collections/draw-collections.ts";
import { checkContainers } from "./docs/containers.ts";
import { checkControlCalls, controlCallsPath, drawControlCalls } from "./docs/control-calls.ts";
import { type Drift, readDocuments } from "./docs/document.ts";
import { checkDrawings } from "./docs/drawing.ts";
import { drawn } from "./docs/drawn.ts";
import { figureTable } from "./docs/figures/table.ts";
import { checkFigures } from "./docs/figures/figure.ts";
import { checkExamples } from "./docs/examples.ts";
import { checkFieldDocs, drawFieldDocs, fieldDocsPath } from "./docs/field-docs.ts";
import {
  adrLinks,
  adrNumbers,
  checkListing,
  commandNames,
  commandsIn,
  eventsIn,
  metricsIn,
  ruleHeadings,
  settingsIn,
  vectorValues,
} from "./docs/listings.ts";
import { checkNodeVersions } from "./docs/node-versions.ts";
import { checkOperations, type OperationFacts } from "./docs/operations-table.ts";
import { checkCommands, checkFileNames, checkLinks, checkSettings } from "./docs/references.ts";
import { checkMarks } from "./docs/shell-blocks.ts";
import { checkShellBlocks } from "./docs/shell-rules.ts";
import { checkRegister, lastDecision } from "./docs/register.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

function readOperations(): OperationFacts[] {
  return operationRows.map(({ code, name, path, direction }) => ({
    code,
    name,
    path,
    works: direction === "toPartner" ? undefined : true,
  }));
}

const readAll = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map(read);

const documents = readDocuments(root);

/** Each document that claims to list everything of a kind, and what there is. */
function checkListings(): Drift[] {
  const sources = "packages/server/src";
  const vectors = JSON.parse(read("vectors/snap-test-vectors.json"));
  const settings = settingsIn(readAll(`${sources}/config/*.ts`).join("\n"));
  const metrics = metricsIn(readAll(`${sources}/{compose,edge}/**/*.ts`));
  return [
    { path: "docs/reference/settings.md", names: settings, what: "the setting" },
    { path: "docs/reference/metrics.md", names: metrics, what: "the metric" },
    {
      path: "docs/guides/operating.md",
      names: startChecks.map(({ id }) => `| \`${id}\` |`),
      what: "the condition of a start",
    },
    {
      path: "docs/reference/log-events.md",
      names: eventsIn(read(`${sources}/observability/log-event.ts`)),
      what: "the log event",
    },
    {
      path: "docs/reference/security-log.md",
      names: Object.entries(securityEvents).map(([event, sentence]) => `| \`${event}\` | ${sentence} |`),
      what: "the row",
    },
    { path: "packages/cli/README.md", names: commandsIn(readAll("packages/cli/src/**/*.ts")), what: "the command" },
    { path: "docs/specification.md", names: ruleHeadings(lastDecision), what: "the rule" },
    { path: "docs/adr/README.md", names: adrLinks(documents), what: "the ADR" },
    { path: "docs/adr/README.md", names: adrNumbers(documents), what: "the number" },
    ...["docs/guides/signing.md", "docs/guides/id/penandatanganan.md"].map((path) => ({
      path,
      names: vectorValues(vectors, ["G1", "G2", "G7"]),
      what: "the vectors' value",
    })),
    {
      path: "docs/guides/receiving-notifications.md",
      names: vectorValues(vectors, ["G8"]),
      what: "the vector's value",
    },
  ].flatMap((listing) => checkListing({ ...listing, document: documents.find(({ path }) => path === listing.path) }));
}

const enginesOf = (directory: string) => ({
  directory,
  engine: JSON.parse(read(join(directory, "package.json"))).engines?.node,
});

/** Containers, which run `titian`. */
function checkContainerFiles(commands: readonly string[]): Drift[] {
  const files = {
    containerfile: read("Containerfile"),
    compose: read("compose.yaml"),
    ignored: read(".dockerignore"),
    page: read("docs/guides/operating.md"),
  };
  const config = readAll("packages/server/src/config/*.ts").join("\n");
  const { engine } = enginesOf("packages/cli");
  const exists = (path: string) => existsSync(join(root, path));
  return checkContainers(files, { scripts: Object.keys(scripts), commands, config, engine, exists });
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
const readme = documents.find(({ path }) => path === "README.md");
const drifts = [
  ...checkCommands(documents, Object.keys(scripts)),
  ...checkLinks(documents, root),
  ...checkFileNames(documents, root),
  ...checkNodeVersions(documents, [".", ...globSync("packages/*", { cwd: root })].map(enginesOf)),
  ...checkSettings(documents, readAll("packages/server/src/config/*.ts").join("\n")),
  ...checkAdrs(documents),
  ...checkMarks(documents),
  ...checkShellBlocks(documents),
  ...checkListings(),
  ...checkContainerFiles(commandNames(readAll("packages/cli/src/**/*.ts"))),
  ...checkFieldDocs(read(fieldDocsPath), drawFieldDocs(fieldDescriptions, operationRows)),
  ...checkExamples(read),
  ...checkCollections(drawCollections([...controlCalls, ...sandboxCalls]), listCollections(root), read),
  ...checkControlCalls(read(controlCallsPath), drawControlCalls([...controlCalls, ...sandboxCalls])),
  ...drawn.flatMap(({ path, drawings }) =>
    checkDrawings(
      path,
      documents.find((document) => document.path === path),
      drawings,
    ),
  ),
  ...(readme === undefined ? [] : checkOperations(readme, readOperations())),
  ...checkFigures(figureTable, read),
  ...checkRegister(read("docs/ambiguities.json"), root),
];
for (const { path, line, message } of drifts) console.error(`${path}:${line}: error: ${message}`);
if (drifts.length > 0) process.exitCode = 1;
else console.log(`docs: ${documents.length} documents agree with the repository`);
