/** Goal: the first command on a fresh checkout installs or says plainly why it cannot. Method: a small checkout, real npm. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const scripts = join(import.meta.dirname, "..");

/** A checkout with one dependency, a package in it whose program is called `node` as npm's Node 24 is. */
function makeCheckout(dependencies: object, packages: object): string {
  const root = mkdtempSync(join(tmpdir(), "titian-install-"));
  after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "scripts"));
  cpSync(join(scripts, "ensure-installed.cjs"), join(root, "scripts", "ensure-installed.cjs"));
  cpSync(join(scripts, "install"), join(root, "scripts", "install"), { recursive: true });
  const manifest = { name: "x", version: "1.0.0", dependencies };
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
  const lock = { name: "x", version: "1.0.0", lockfileVersion: 3, packages: { "": manifest, ...packages } };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify(lock));
  return root;
}

function ensureInstalled(root: string) {
  return spawnSync(process.execPath, [join(root, "scripts", "ensure-installed.cjs")], {
    encoding: "utf8",
    env: { ...process.env, npm_config_cache: join(root, "cache"), npm_config_registry: "http://127.0.0.1:9/" },
  });
}

/** A checkout that can be installed without a network. */
function makeInstallable(): string {
  const root = makeCheckout(
    { runtime: "file:runtime" },
    {
      "node_modules/runtime": { resolved: "runtime", link: true },
      runtime: { version: "1.0.0", bin: { node: "node.js" } },
    },
  );
  mkdirSync(join(root, "runtime"));
  writeFileSync(join(root, "runtime", "package.json"), '{"name":"runtime","version":"1.0.0","bin":{"node":"node.js"}}');
  writeFileSync(join(root, "runtime", "node.js"), `#!${process.execPath}\nconsole.log("v24.0.0");\n`, { mode: 0o755 });
  return root;
}

test("it installs once, then has nothing to do", () => {
  const root = makeInstallable();
  const first = ensureInstalled(root);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /Installing dependencies: 1 packages\n[^]*Installed 1 packages in \d+ s\n/);
  const second = ensureInstalled(root);
  assert.deepEqual([second.status, second.stdout, second.stderr], [0, "", ""]);
  assert.ok(!existsSync(join(root, ".install.lock")));
});

test("without a network it says so", () => {
  const root = makeCheckout({ far: "1.0.0" }, { "node_modules/far": { version: "1.0.0", integrity: "sha512-AA==" } });
  const run = ensureInstalled(root);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /the npm registry cannot be reached from here/);
  assert.ok(!existsSync(join(root, ".install.lock")));
});

test("it builds the console's pages when they are missing or their sources changed, and starts without them when it cannot", () => {
  const root = makeInstallable();
  const home = join(root, "packages", "console");
  const source = join(home, "src", "main.tsx");
  mkdirSync(join(home, "src"), { recursive: true });
  writeFileSync(join(home, "package.json"), "{}");
  writeFileSync(source, "one");
  writeFileSync(
    join(home, "build.mjs"),
    `import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
    const text = readFileSync(${JSON.stringify(source)}, "utf8");
    if (text === "faulty") throw new Error("a faulty source");
    mkdirSync(${JSON.stringify(join(home, "dist"))}, { recursive: true });
    writeFileSync(${JSON.stringify(join(home, "dist", "index.html"))}, text, { flag: "wx" });`,
  );
  const page = join(home, "dist", "index.html");
  assert.equal(ensureInstalled(root).status, 0);
  assert.equal(readFileSync(page, "utf8"), "one");
  // Written again it would fail: the file is there.
  assert.equal(ensureInstalled(root).stderr, "");
  rmSync(page);
  writeFileSync(source, "two");
  assert.equal(ensureInstalled(root).stderr, "");
  assert.equal(readFileSync(page, "utf8"), "two");
  writeFileSync(source, "faulty");
  const run = ensureInstalled(root);
  assert.equal(run.status, 0);
  assert.match(run.stderr, /console's pages could not be built[^]*a faulty source/);
});
