/**
 * `TITIAN_TEST_CITUS_URL=postgres://owner@coordinator/titian npm run torture -- citus`: the black-box suites, each file with a distributed
 * schema of Citus (docs/guides/cells.md). The URL is the coordinator's, as a superuser.
 */
import { spawnSync } from "node:child_process";
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
const { status } = spawnSync("npm", ["test", "--", ...suites.map((name) => `test/e2e/${name}`)], { stdio: "inherit" });
process.exitCode = status ?? 1;
