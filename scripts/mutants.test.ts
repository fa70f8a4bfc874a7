/**
 * Goal: the tests notice a lost guard. Method: each guard of the server has a mutant, or a reason why it has none; some
 * mutants, drawn by the seed, are run here, and all by `npm run torture -- mutants`.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { randomNumbers } from "../test/torture/random-numbers.ts";
import { clusterUrlVariable } from "../test/support/database/shared-cluster.ts";
import { makeCopy } from "./mutants/copy.ts";
import { findGaps, guardsOf, parseUnplanted } from "./mutants/guards.ts";
import { applyMutant, type Mutant, readMutants } from "./mutants/mutant.ts";
import { isKilled, needsOwnCluster, runMutant } from "./mutants/run-mutant.ts";

const root = resolve(import.meta.dirname, "..");
const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
const mutants = readMutants(root);
const unplanted = parseUnplanted(readFileSync(join(root, "scripts/mutants/unplanted.txt"), "utf8"));

test("each mutant has its text once in its file, and its test is there", () => {
  for (const mutant of mutants) {
    applyMutant(mutant, readFileSync(join(root, mutant.path), "utf8"));
    assert.ok(existsSync(join(root, mutant.killer.file)), `${mutant.name}: ${mutant.killer.file}`);
  }
  const names = mutants.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, position) => names.indexOf(name) !== position),
    [],
    "names of two mutants",
  );
});

test("each guard has a mutant, or a reason why it has none", () => {
  const { guards, unplanted: idle } = findGaps(root, mutants, unplanted);
  assert.deepEqual(
    guards.map(({ kind, path, line, text }) => `${path}:${line} ${kind}: ${text}`),
    [],
  );
  assert.deepEqual(
    idle.map(({ path, text }) => `${path} :: ${text}`),
    [],
    "reasons that no guard needs",
  );
  assert.deepEqual(
    unplanted.filter(({ reason }) => reason === ""),
    [],
  );
});

test("a new guard is found by name", () => {
  const path = "packages/server/src/store/tables/new.ts";
  const content = "const lock = {\n  text: \"select id from accounts where state = 'open' for no key update\",\n};\n";
  const found = guardsOf(path, content).map(({ kind, line }) => `${kind} in line ${line}`);
  assert.deepEqual(found, ["row lock in line 2", "state in line 2"]);
});

const draws = 2;

/** Its test takes seconds. */
const isQuick = ({ killer: { file } }: Mutant) => /^packages\/|\/(locked-rows|claims)\.test\.ts$/.test(file);

test(`${draws} mutants are killed`, { timeout: 300_000 }, async () => {
  console.log(`seed ${seed}`);
  const clusterUrl = process.env[clusterUrlVariable];
  const random = randomNumbers(seed);
  const drawn = mutants
    .filter((mutant) => isQuick(mutant) && !needsOwnCluster(mutant))
    .map((mutant) => ({ mutant, order: random() }))
    .toSorted((a, b) => a.order - b.order);
  using copy = makeCopy(root);
  for (const { mutant } of drawn.slice(0, draws)) {
    const run = await runMutant(mutant, { copy, clusterUrl, signal: new AbortController().signal });
    assert.ok(isKilled(run), `${mutant.name} survives ${mutant.killer.file}: ${run.failure ?? `${run.passed} passed`}`);
  }
});
