/**
 * `TITIAN_TEST_CITUS_URL=postgres://owner@coordinator/titian npm run torture -- citus`: the black-box suites, each file with a distributed
 * schema of Citus (docs/guides/cells.md). The URL is the coordinator's, as a superuser.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { citusUrl } from "../../test/support/database/distributed-schema.ts";
import { fail } from "./command-line.ts";

if (citusUrl === undefined) fail("Set TITIAN_TEST_CITUS_URL to the URL of a coordinator of Citus, as a superuser.");

/** Those that speak to a service over HTTP alone. The others kill a PostgreSQL of their own, or tell of its tables. */
const suites = [
  "transfer",
  "repeats",
  "bulks/",
  "payments/",
  "payment-requests/",
  "notifications/",
  "rails/",
  "input/",
  "rejections/",
];
/** Those that copy a whole database, or have one of a shop's beside ours. */
const others = ["payments/settle", "rails/adopted-payments", "rails/reconciled-rail", "rails/restored-database"];
const files = globSync("test/e2e/**/*.test.ts").filter(
  (file) => suites.some((name) => file.startsWith(`test/e2e/${name}`)) && others.every((name) => !file.includes(name)),
);
const { status } = spawnSync("npm", ["test", "--", ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
