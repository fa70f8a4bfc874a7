/**
 * `npm run collections`: the collections of examples/collections, sent by Newman and Bruno's command to a fresh sandbox in
 * the order of their folders, and how many requests and assertions there were. The two are installed beside this file, from
 * a lock file of their own, since few need them and they are many packages.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSandbox } from "../test/support/black-box/start-sandbox.ts";
import { workingTime } from "../test/support/working-day.ts";

interface Counts {
  readonly requests: number;
  readonly assertions: number;
  /** Each as a sentence. */
  readonly failures: readonly string[];
  /** Control calls that were answered 409, since a call before them had done it. */
  readonly conflicts: readonly string[];
}

const root = resolve(import.meta.dirname, "..");
const folder = join(import.meta.dirname, "collections");
const collections = join(root, "examples/collections");
const bin = (name: string) => join(folder, "node_modules", ".bin", name);

function run(command: string, args: readonly string[], cwd = folder): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 240_000 });
  if (error) throw error;
  // Failures of the collection stand in the report.
  if (status !== 0 && status !== 1) throw new Error(`${command} ended with ${status}\n${stdout}\n${stderr}`);
}

interface Execution {
  readonly cursor: { readonly position: number };
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
}

interface NewmanReport {
  readonly run: {
    readonly stats: { readonly assertions: { readonly total: number } };
    readonly failures: readonly {
      readonly source?: { readonly name: string };
      readonly error: { readonly message: string };
    }[];
    /** One for each call, and one for each request of its scripts. */
    readonly executions: readonly Execution[];
  };
}

/** @param variables of the environment */
function sendByNewman(variables: Variables, report: string): Counts {
  const given = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const file = (name: string) => join(collections, "postman", name);
  const collection = file("titian.postman_collection.json");
  const environment = file("sandbox.postman_environment.json");
  const reporter = ["--reporters", "json", "--reporter-json-export", report];
  run(bin("newman"), ["run", collection, "-e", environment, ...given, ...reporter]);
  const { stats, failures, executions } = (JSON.parse(readFileSync(report, "utf8")) as NewmanReport).run;
  return {
    requests: new Set(executions.map(({ cursor }) => cursor.position)).size,
    assertions: stats.assertions.total,
    failures: failures.map(({ source, error }) => `${source?.name}: ${error.message}`),
    conflicts: executions.filter(({ response }) => response?.code === 409).map(({ item }) => item.name),
  };
}

interface BrunoResult {
  readonly name: string;
  readonly error: string | null;
  readonly response: { readonly status: number | string };
  readonly testResults: readonly { readonly status: string; readonly description: string; readonly error?: string }[];
}
type BrunoReport = readonly { readonly results: readonly BrunoResult[] }[];

function sendByBruno(variables: Variables, report: string): Counts {
  const given = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const args = ["run", "-r", "--env", "sandbox", ...given, "--reporter-json", report];
  run(bin("bru"), args, join(collections, "bruno"));
  const results = (JSON.parse(readFileSync(report, "utf8")) as BrunoReport).flatMap((iteration) => iteration.results);
  const failures = results.flatMap(({ name, error, testResults }) => [
    ...(error === null || error === undefined ? [] : [`${name}: ${error}`]),
    ...testResults.filter(({ status }) => status !== "pass").map((one) => `${name}: ${one.error ?? one.description}`),
  ]);
  return {
    requests: results.length,
    assertions: results.flatMap(({ testResults }) => testResults).length,
    failures,
    conflicts: results.filter(({ response }) => response.status === 409).map(({ name }) => name),
  };
}

type Variables = Readonly<Record<string, string>>;

/** Control calls that follow one after which they are answered 409. */
const answered409 = ["payment-request decline"];

function tell(tool: string, { requests, assertions, failures, conflicts }: Counts): boolean {
  const others = conflicts.filter((name) => !answered409.includes(name));
  const all = [...failures, ...others.map((name) => `${name}: answered 409`)];
  console.log(`${tool}: ${requests} requests, ${assertions} assertions, ${all.length} failed`);
  for (const failure of all) console.error(`  ${failure}`);
  return all.length === 0 && requests > 0 && requests === assertions;
}

if (!existsSync(bin("newman")) || !existsSync(bin("bru"))) run("npm", ["ci", "--ignore-scripts"]);
const reports = mkdtempSync(join(tmpdir(), "titian-collections-"));
try {
  await using sandbox = await startSandbox({}, { database: "embedded" });
  // On a day on which every rail is open.
  await sandbox.control.call("POST", "clock", { set: new Date(workingTime(10)).toISOString() });
  const { baseUrl, controlToken } = sandbox.file;
  const results = [
    tell("Newman", sendByNewman({ baseUrl, controlToken }, join(reports, "newman.json"))),
    tell("Bruno", sendByBruno({ baseUrl, controlToken }, join(reports, "bruno.json"))),
  ];
  if (!results.every(Boolean)) process.exitCode = 1;
} finally {
  rmSync(reports, { recursive: true });
}
