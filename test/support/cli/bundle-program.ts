/**
 * The `titian` program in a few files: loading more than a thousand modules one by one takes a third of a start, and the suite
 * starts hundreds of processes.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const root = resolve(import.meta.dirname, "../../..");
const bundles = join(root, "node_modules/.cache/titian-tests");
const keptMs = 24 * 3_600_000;

/** A module finds the files that it reads, and the threads that it starts, by its own address. */
const ownAddresses: Plugin = {
  name: "own-addresses",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), loader: "ts" };
    });
  },
};

/** Answers the path of its main file, in a folder that is named by what is in it: runs at once may share it. */
export async function bundleProgram(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { run: "packages/cli/src/run.ts" },
    outdir: bundles,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    conditions: ["source"],
    // Packages in CommonJS among the modules.
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`,
    },
    plugins: [ownAddresses],
    write: false,
  });
  await stop();
  const hash = createHash("sha256");
  for (const { path, contents } of outputFiles) hash.update(path).update(contents);
  const folder = join(bundles, hash.digest("hex").slice(0, 16));
  if (!existsSync(folder)) {
    mkdirSync(bundles, { recursive: true });
    const temporary = mkdtempSync(join(bundles, "new-"));
    for (const { path, contents } of outputFiles) writeFileSync(join(temporary, path.slice(bundles.length)), contents);
    writeFileSync(join(temporary, "main.mjs"), `import { run } from "./run.mjs";\nawait run();\n`);
    renameSync(temporary, folder);
    removeOld();
  }
  return join(folder, "main.mjs");
}

function removeOld(): void {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
