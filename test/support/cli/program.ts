/** The `titian` program that tests start as a process of its own: the bundle that `npm test` makes first, or its sources. */
import { resolve } from "node:path";

/** The file that node runs. */
export const programFile = resolve(import.meta.dirname, "../../../packages/cli/src/main.mjs");
