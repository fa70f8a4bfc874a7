/**
 * The `titian` command from source: from the bundle of these sources where there is one, which `npm start` makes. In JavaScript: for
 * this file, before there is a cache, Node would load its compiler of TypeScript.
 */
import { enableCompileCache } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findFreshBundle } from "../bundle/fresh-bundle.cjs";

// Stripped and compiled modules are kept between runs: it halves the time a command takes to start. By the variable they are
// for its threads, too.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../../node_modules/.cache/titian", import.meta.url));
enableCompileCache(process.env["NODE_COMPILE_CACHE"]);
const bundle = findFreshBundle();
const { run } = await import(bundle === undefined ? "./run.ts" : pathToFileURL(bundle).href);
await run();
