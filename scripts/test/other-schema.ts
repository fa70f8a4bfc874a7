/**
 * Some processes of a run have their tables in another schema than `public`, drawn by the seed: nothing of the service may name
 * one. `TITIAN_TEST_SCHEMA=titian_elsewhere npm test -- <file>` runs a file so; `npm run torture -- schema` runs all.
 */
import { hash } from "node:crypto";
import { seededVariable } from "../../test/support/black-box/seeded-sandbox.ts";
import { schemaVariable } from "../../test/support/database/test-cluster.ts";
import type { TestUnit } from "./run-unit.ts";

export const elsewhere = "titian_elsewhere";

/** One process of so many. */
const share = 8;

const seed = process.env["TITIAN_TEST_SEED"] ?? String(Date.now() % 1_000_000);

export function inOtherSchema(units: readonly TestUnit[]): TestUnit[] {
  const moved = units.map((unit) => (isDrawn(unit) ? { ...unit, environment } : unit));
  const count = moved.filter((unit) => unit.environment !== undefined).length;
  console.log(
    `${count} of ${units.length} processes have their tables in the schema ${elsewhere} (TITIAN_TEST_SEED=${seed})`,
  );
  return moved;
}

/** The sandbox that others begin as a copy of has its tables in `public`. */
const environment = { [schemaVariable]: elsewhere, [seededVariable]: undefined };

/** Those that show what users paste start from nothing, as users do. */
const isOfUsers = ({ files }: TestUnit) => files.some((file) => /\/(?:scripts|shells)\//.test(file));

const isDrawn = (unit: TestUnit) =>
  !isOfUsers(unit) && Number.parseInt(hash("sha256", `${seed} ${unit.name}`).slice(0, 8), 16) % share === 0;
