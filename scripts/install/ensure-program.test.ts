/** Goal: the program is one file while its sources are those that it was made from. Method: a small checkout, real starts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const { ensureProgram }: { ensureProgram(root: string): void } = createRequire(import.meta.url)("./ensure-program.cjs");
const repository = resolve(import.meta.dirname, "../..");

/** A checkout whose program prints the text of a module of another package, and the addresses of both. */
function makeCheckout(): string {
  const root = mkdtempSync(join(tmpdir(), "titian-program-"));
  after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("package-lock.json", "{}");
  write("packages/cli/package.json", '{"type":"module"}');
  write("packages/server/package.json", '{"type":"module"}');
  write("packages/server/src/text.ts", 'export const text: string = "first";\n');
  const lines = [
    'import { text } from "../../server/src/text.ts";',
    "export const run = () => console.log(text, import.meta.url, new Error().stack?.includes('titian-program/'));",
  ];
  write("packages/cli/src/run.ts", lines.join("\n"));
  const cli = join(repository, "packages/cli");
  cpSync(join(cli, "src/main.mjs"), join(root, "packages/cli/src/main.mjs"));
  cpSync(join(cli, "bundle"), join(root, "packages/cli/bundle"), { recursive: true });
  mkdirSync(join(root, "node_modules"));
  for (const name of ["esbuild", "@esbuild"])
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  return root;
}

/** Text that the program prints, and true where it ran from the bundle. */
function start(root: string) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "packages/cli/src/main.mjs")], {
    encoding: "utf8",
  });
  const [text, address, isBundle] = stdout.trim().split(" ");
  assert.ok(address?.endsWith("/packages/cli/src/run.ts"), stderr);
  return { text, isBundle: isBundle === "true" };
}

test("the program starts from one file until a source is changed, added or removed", () => {
  const root = makeCheckout();
  assert.deepEqual(start(root), { text: "first", isBundle: false });
  ensureProgram(root);
  assert.deepEqual(start(root), { text: "first", isBundle: true });

  writeFileSync(join(root, "packages/server/src/text.ts"), 'export const text: string = "later";\n');
  assert.deepEqual(start(root), { text: "later", isBundle: false });
  ensureProgram(root);
  assert.deepEqual(start(root), { text: "later", isBundle: true });

  const added = join(root, "packages/server/src/added.ts");
  writeFileSync(added, "");
  assert.equal(start(root).isBundle, false);
  rmSync(added);
  assert.equal(start(root).isBundle, true);
  appendFileSync(join(root, "package-lock.json"), " ");
  assert.equal(start(root).isBundle, false);
});

test("a bundle that was removed, or could not be made, keeps nobody from a start", () => {
  const root = makeCheckout();
  ensureProgram(root);
  const folder = join(root, "node_modules/.cache/titian-program");
  for (const name of readdirSync(folder)) if (name.endsWith(".mjs")) rmSync(join(folder, name));
  assert.deepEqual(start(root), { text: "first", isBundle: false });
  appendFileSync(join(root, "packages/server/src/text.ts"), "export const broken: = 1;\n");
  ensureProgram(root);
  rmSync(join(root, "node_modules/esbuild"));
  ensureProgram(root);
});
