/**
 * `npm run torture -- cells-suites`: the black-box suites with sandboxes of two databases (docs/guides/cells.md). `npm test` runs some of
 * them so, drawn by the seed. `--only=test/e2e/bulks/`: files of that path.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { cellsSuites } from "../test/over-cells.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const suites = values.only ? [values.only] : cellsSuites;
const env = { ...process.env, TITIAN_TEST_CELLS: "1" };
const { status } = spawnSync("npm", ["test", "--", ...suites], { stdio: "inherit", env });
process.exitCode = status ?? 1;
