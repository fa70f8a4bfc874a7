/**
 * Makes the program one file, from the sources of all packages (fresh-bundle.cjs). Plain JavaScript, because any Node from 20.19 on
 * runs it before the first start.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fingerprintOfSources, folder, mark, root } from "./fresh-bundle.cjs";

/** A bundle that a program is just about to load is not removed. */
const keptMs = 60_000;

/** A module finds the files that it reads, and the threads that it starts, by its own address. */
const ownAddresses = {
  name: "own-addresses",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

// Before the sources are read: one that is changed meanwhile makes the bundle an old one.
const fingerprint = fingerprintOfSources();
const {
  outputFiles: [output],
} = await build({
  absWorkingDir: root,
  entryPoints: ["packages/cli/src/run.ts"],
  // One file: a program that runs for weeks finds no part of it gone.
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  conditions: ["source"],
  // Packages in CommonJS are among the modules.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`,
  },
  plugins: [ownAddresses],
  write: false,
});
const name = `program-${createHash("sha256").update(output.contents).digest("hex").slice(0, 16)}.mjs`;
mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, name))) replace(name, output.contents);
replace("bundle.json", `${JSON.stringify({ name, fingerprint })}\n`);
for (const old of readdirSync(folder)) {
  const path = join(folder, old);
  if (old !== name && path !== mark && Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
}

/** The file is the whole old one or the whole new one for those who read it. */
function replace(file, contents) {
  const temporary = join(folder, `${file}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, join(folder, file));
}
