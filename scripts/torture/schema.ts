/** `npm run torture -- schema`: the whole suite, its tables in another schema than `public`. `--only=test/e2e/`: files of that path. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const env = { ...process.env, TITIAN_TEST_SCHEMA: "titian_elsewhere" };
const { status } = spawnSync("npm", ["test", "--", ...(values.only ? [values.only] : [])], { stdio: "inherit", env });
process.exitCode = status ?? 1;
