/** Test files that would never end are killed with all they started, and named; files may share a process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { isAlive, waitUntil } from "@titian/embedded-postgres";
import type { FileEvent } from "./file-events.ts";
import { createTestReport } from "./report.ts";
import type { TestUnit, UnitEnd } from "./run-unit.ts";
import { runUnits } from "./run-units.ts";

const root = resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "titian-runner-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const head = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  import { test } from "node:test";
  const note = (pid) => writeFileSync(import.meta.filename + "." + pid + ".pid", "");
  note(process.pid);
`;
const startChild = (stdio: string) => `
  const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "${stdio}" });
  note(child.pid);
  child.unref();
`;

const planted = {
  "passes.test.mjs": `test("one", (t) => t.diagnostic("seed 7"));`,
  "fails.test.mjs": `test("one", () => { throw new Error("wrong"); });`,
  "event-loop-never-ends.test.mjs": `test("one", () => {}); setInterval(() => {}, 1000);`,
  "ignores-sigterm.test.mjs": `process.on("SIGTERM", () => {}); test("one", () => new Promise(() => setInterval(() => {}, 1000)));`,
  "busy.test.mjs": `test("one", () => { for (;;); });`,
  "child-of-a-killed-file.test.mjs": `${startChild("ignore")} test("one", () => new Promise(() => setInterval(() => {}, 1000)));`,
  "leaves-a-child.test.mjs": `${startChild("inherit")} test("one", () => {});`,
  "exits.test.mjs": `test("one", () => process.exit(0)); test("two", () => {});`,
  "throws.test.mjs": `throw new Error("not loaded");`,
  "throws-and-stays.test.mjs": `setInterval(() => {}, 1000); throw new Error("not loaded");`,
  "has-no-test.test.mjs": "",
};

interface Seen {
  readonly end: UnitEnd;
  readonly events: readonly FileEvent[];
  readonly printed: string;
}

type PlantedName = keyof typeof planted;

const pathOf = (name: PlantedName) => join(directory, name);

/** Each file in a process of its own. */
async function runPlanted(names: readonly PlantedName[], unitMs: number): Promise<Record<string, Seen>> {
  const seen = await runPlantedUnits(
    names.map((name) => [name]),
    unitMs,
  );
  return Object.fromEntries(names.map((name, index) => [name, seen[index] ?? assert.fail(name)]));
}

/** Each list of files in a process. */
async function runPlantedUnits(lists: readonly (readonly PlantedName[])[], unitMs: number): Promise<readonly Seen[]> {
  for (const name of lists.flat()) writeFileSync(pathOf(name), `${head}${planted[name]}`);
  const units = lists.map((names) => ({ name: names.map(pathOf).join(" and "), files: names.map(pathOf) }));
  const events = new Map<TestUnit, FileEvent[]>(units.map((unit) => [unit, []]));
  const printed = new Map<TestUnit, string>();
  const ends = new Map<TestUnit, UnitEnd>();
  await runUnits({
    units,
    concurrency: 4,
    nodeOptions: [],
    limits: { unitMs, killMs: 500, outputMs: 1_000 },
    signal: new AbortController().signal,
    report: {
      take: (unit, event) => void events.get(unit)?.push(event),
      print: (unit, text) => void printed.set(unit, `${printed.get(unit) ?? ""}${text}`),
      endUnit: (unit, end) => void ends.set(unit, end),
    },
  });
  return units.map((unit) => ({
    end: ends.get(unit) ?? assert.fail(unit.name),
    events: events.get(unit) ?? [],
    printed: printed.get(unit) ?? "",
  }));
}

/** Processes of the file and of what it started, by the notes that they left. */
function processesOf(name: string): readonly number[] {
  const pids = readdirSync(directory).map((file) => new RegExp(`^${name}\\.(\\d+)\\.pid$`).exec(file)?.[1]);
  return pids.filter((pid) => pid !== undefined).map(Number);
}

async function assertGone(name: string, count: number): Promise<void> {
  const pids = processesOf(name);
  assert.equal(pids.length, count, name);
  const isGone = () => pids.every((pid) => !isAlive(pid)) || undefined;
  assert.ok(await waitUntil(isGone, { timeoutMs: 5_000, everyMs: 20 }), `${name}: a process is left`);
}

test("a file that outlives its limit is killed with what it started, and named", { timeout: 60_000 }, async () => {
  const names = [
    "event-loop-never-ends.test.mjs",
    "ignores-sigterm.test.mjs",
    "busy.test.mjs",
    "child-of-a-killed-file.test.mjs",
  ] as const;
  const seen = await runPlanted(names, 3_000);
  for (const name of names) {
    assert.equal(seen[name]?.end.failure, `${join(directory, name)} outlived its limit of 3 s and was killed`);
    assert.ok(!seen[name].end.isClean);
    await assertGone(name, name === "child-of-a-killed-file.test.mjs" ? 2 : 1);
  }
});

test("a process that is left behind and holds the output is killed, and its file named", {
  timeout: 60_000,
}, async () => {
  const name = "leaves-a-child.test.mjs";
  const seen = await runPlanted([name], 30_000);
  assert.match(seen[name]?.end.failure ?? "", /leaves-a-child\.test\.mjs ended and left a process behind/);
  await assertGone(name, 2);
});

test("the results of tests arrive, and a file that ends before its tests has failed", { timeout: 60_000 }, async () => {
  const names = ["passes.test.mjs", "fails.test.mjs", "exits.test.mjs", "throws.test.mjs"] as const;
  const seen = await runPlanted(names, 30_000);
  const [passes, fails, exits, throws] = names.map((name) => seen[name]);
  assert.deepEqual(
    passes?.events.map((event) => (event.kind === "end" ? [event.name, event.failure] : event.kind)),
    [["one", undefined], "diagnostic", "summary", "usage"],
  );
  assert.ok(Number(passes.end.times[0]?.cpuMs) > 0);
  assert.deepEqual([passes.end.isClean, passes.end.failure], [true, undefined]);
  const failed = fails?.events.find(({ kind }) => kind === "end");
  assert.ok(failed?.kind === "end" && failed.failure?.type === "testCodeFailure" && /wrong/.test(failed.failure.text));
  assert.deepEqual([fails?.end.isClean, fails?.end.failure], [false, undefined]);
  assert.match(exits?.end.failure ?? "", /exits\.test\.mjs ended before its tests had ended \(exit code 0\)/);
  assert.equal(throws?.end.isClean, false);
  assert.match(throws.printed + JSON.stringify(throws.events), /not loaded/);
});

test("files that share a process each have their tests reported; one without a test, or that hangs, is named", {
  timeout: 60_000,
}, async () => {
  const [both, broken, empty, hanging] = await runPlantedUnits(
    [
      ["passes.test.mjs", "fails.test.mjs"],
      ["throws.test.mjs", "passes.test.mjs"],
      ["passes.test.mjs", "has-no-test.test.mjs"],
      ["passes.test.mjs", "busy.test.mjs"],
    ],
    3_000,
  );
  const named = both?.events.flatMap((event) => (event.kind === "end" ? [`${event.name} ${event.place}`] : []));
  assert.deepEqual(named?.map((text) => text.replace(/:\d+$/, "")).toSorted(), [
    `one ${pathOf("fails.test.mjs")}`,
    `one ${pathOf("passes.test.mjs")}`,
  ]);
  assert.deepEqual([both?.end.isClean, both?.end.failure], [false, undefined]);
  const shared = [pathOf("passes.test.mjs"), pathOf("fails.test.mjs")];
  assert.deepEqual(
    both?.end.times.map(({ file, cpuMs, tookMs }) => [file, Number(cpuMs) >= 0, tookMs > 0]),
    shared.map((file) => [file, true, true]),
  );
  const results = broken?.events.flatMap((event) => (event.kind === "end" ? [[event.name, event.failure?.text]] : []));
  assert.match(String(results?.[0]), /throws\.test\.mjs,Error: not loaded/);
  assert.deepEqual(results?.slice(1), [["one", undefined]]);
  assert.equal(empty?.end.failure, `No test in ${pathOf("has-no-test.test.mjs")}`);
  assert.match(hanging?.end.failure ?? "", /^\S+busy\.test\.mjs, in .+, outlived its limit of 3 s and was killed$/);
});

test("a process whose last file could not be imported ends, though the file left something open", {
  timeout: 60_000,
}, async () => {
  const [seen] = await runPlantedUnits([["passes.test.mjs", "throws-and-stays.test.mjs"]], 30_000);
  assert.deepEqual([seen?.end.isClean, seen?.end.failure], [false, undefined]);
});

test("what runs again counts once, and its first failures are named as unsteady", () => {
  const lines: string[] = [];
  const unit = { name: "a.test.ts", files: [join(root, "a.test.ts")] };
  const place = `${unit.files[0]}:1`;
  const ended = { kind: "end", name: "one", place, isSuite: false, isSkipped: false, isTodo: false } as const;
  const end = { times: [], isClean: false, isStopped: false };
  const report = createTestReport({ fileCount: 1, timesShown: 0, print: (text) => void lines.push(text) });
  report.take(unit, { ...ended, failure: { type: "testCodeFailure", text: "too late" } });
  report.endUnit(unit, end);
  assert.deepEqual(report.failedUnits(), [unit]);
  report.takeBack([unit]);
  assert.deepEqual(report.failedUnits(), []);
  report.take(unit, ended);
  report.endUnit(unit, { ...end, isClean: true });
  assert.equal(report.finish(), true);
  const said = lines.join("\n");
  assert.match(
    said,
    /by themselves:\n✖ one \(a\.test\.ts:1\)\nℹ tests 1\n(.*\n)+ℹ unsteady 1\n(.*\n)+1 passed, 0 failed$/,
  );
});

test("a run in which a file was killed ends, names the file and fails", { timeout: 60_000 }, () => {
  const file = "packages/contract/src/json/read-json.test.ts";
  const run = spawnSync(
    process.execPath,
    ["--conditions=source", "scripts/test.ts", file, "--file-limit=0.1", "--again=1"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  assert.equal(run.status, 1, run.stderr);
  assert.match(run.stdout, new RegExp(`✖ ${file} outlived its limit of 0.1 s and was killed`));
  assert.match(run.stdout, /ℹ unsteady 1\n/);
  assert.match(run.stdout, /No test ran\.\n0 passed, 0 failed\n$/);
});
