/**
 * Some processes of a run have sandboxes of two databases, drawn by the seed: what partners see of a service is the same over
 * several cells. `TITIAN_TEST_CELLS=1 npm test -- <file>` runs a file so; `npm run torture -- cells-suites` runs all that can be.
 */
import { hash } from "node:crypto";
import { seededVariable } from "../../test/support/black-box/seeded-sandbox.ts";
import { splitVariable } from "../../test/support/black-box/split-sandbox.ts";
import type { TestUnit } from "./run-unit.ts";

/**
 * Parts of the paths of those that speak to a sandbox, by HTTP or by commands, whatever has its accounts. Left out are those that
 * start services of their own.
 */
export const cellsSuites = [
  "test/e2e/bulks/",
  "test/e2e/cli/",
  "test/e2e/clock-skew.test.ts",
  "test/e2e/customer-token.test.ts",
  "test/e2e/documented-examples.test.ts",
  "test/e2e/existing-clients.test.ts",
  "test/e2e/expiry.test.ts",
  "test/e2e/faults.test.ts",
  "test/e2e/input/",
  "test/e2e/notifications/",
  "test/e2e/operators.test.ts",
  "test/e2e/pay-in-bulk.test.ts",
  "test/e2e/payment-requests/",
  "test/e2e/payments/",
  "test/e2e/rails/holidays-end.test.ts",
  "test/e2e/rails/own-rail.test.ts",
  "test/e2e/rails/rail-",
  "test/e2e/rails/restored-database.test.ts",
  "test/e2e/rails/switches.test.ts",
  "test/e2e/rejections/",
  "test/e2e/repeats/",
  "test/e2e/transfer.test.ts",
  "test/e2e/two-nodes.test.ts",
  "test/sandbox/find-money.test.ts",
  "test/sandbox/sandbox-",
  "test/sandbox/sign.test.ts",
];

/** One process of so many. */
const share = 6;

const seed = process.env["TITIAN_TEST_SEED"] ?? String(Date.now() % 1_000_000);

/** The seeded sandbox that others begin as a copy of has one database. */
const environment = { [splitVariable]: "1", [seededVariable]: undefined };

export function overCells(units: readonly TestUnit[]): TestUnit[] {
  const able = units.filter(isAble);
  const drawn = new Set(able.filter(isDrawn).map(({ name }) => name));
  console.log(`${drawn.size} of ${able.length} processes have sandboxes of two databases (TITIAN_TEST_SEED=${seed})`);
  return units.map((unit) => (drawn.has(unit.name) ? { ...unit, environment } : unit));
}

/** One whose tables are elsewhere already is left as it is. */
const isAble = ({ files, environment: own }: TestUnit) =>
  own === undefined && files.every((file) => cellsSuites.some((part) => file.includes(part)));

const isDrawn = (unit: TestUnit) =>
  Number.parseInt(hash("sha256", `${seed} cells ${unit.name}`).slice(0, 8), 16) % share === 0;
