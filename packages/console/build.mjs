/**
 * Builds the pages into `dist`: assets named by their content, `index.html` last, so that whoever reads it finds what it
 * names. Plain JavaScript, because any Node from 20.19 on runs it before the first start.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const dist = join(here, "dist");
const assets = join(dist, "assets");

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: { console: "src/main.tsx" },
  outdir: assets,
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  // The source: on a first start nothing of ours is built.
  alias: Object.fromEntries(
    ["csv-cells", "written-amounts"].map((name) => [
      `@titian/contract/${name}`,
      join(here, `../contract/src/${name}.ts`),
    ]),
  ),
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "file" },
  metafile: true,
  write: false,
  legalComments: "none",
});

await mkdir(assets, { recursive: true });
for (const { path, contents } of outputFiles) await replace(path, contents);
const built = Object.keys(metafile.outputs).map((path) => path.split("/").at(-1));
await replace(join(dist, "index.html"), await indexPage(built));
for (const name of await readdir(assets)) if (!built.includes(name)) await rm(join(assets, name));

/** Two starts may build at once: each puts the same file in place in one step. */
async function replace(path, contents) {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

/** @param {readonly string[]} names */
async function indexPage(names) {
  const asset = (pattern) => `assets/${names.find((name) => pattern.test(name))}`;
  const page = await readFile(join(here, "src", "index.html"), "utf8");
  const icon = await readFile(join(here, "src", "icon.svg"));
  const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`;
  await replace(join(assets, iconName), icon);
  built.push(iconName);
  return page
    .replace("{script}", asset(/^console-.*\.js$/))
    .replace("{style}", asset(/^console-.*\.css$/))
    .replace("{icon}", `assets/${iconName}`);
}
