/** The `titian` program that tests start as a process of its own. */
import { resolve } from "node:path";

/** Names a bundle of it to the processes of the test files. */
export const programVariable = "TITIAN_TEST_PROGRAM";

/** The file that node runs: of the runner's bundle, where there is one, or in the repository. */
export const programFile =
  process.env[programVariable] ?? resolve(import.meta.dirname, "../../../packages/cli/src/main.mjs");
