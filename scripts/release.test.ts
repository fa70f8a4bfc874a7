/** `npm run release` in a small repository, with an npm that publishes nothing: it says what it was asked for. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

const scratch = mkdtempSync(join(tmpdir(), "titian-release-test-"));
after(() => rmSync(scratch, { recursive: true }));

const root = join(scratch, "repository");
const npm = join(scratch, "npm.mjs");
const asked = join(scratch, "asked.txt");

writeFileSync(
  npm,
  `import { appendFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
const [command, ...args] = process.argv.slice(2);
appendFileSync(${JSON.stringify(asked)}, [command, ...args].join(" ") + "\\n");
if (command === "view") console.log(args[0] === "@small/first@1.2.0" ? "1.2.0" : "");
else if (command === "pack") process.exit(spawnSync("npm", [command, ...args], { stdio: "inherit" }).status);`,
);

function write(path: string, text: string | object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof text === "string" ? text : JSON.stringify(text));
}

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", env: environment });
  assert.equal(status, 0, stderr);
}

const environment = {
  PATH: process.env["PATH"],
  HOME: scratch,
  TMPDIR: scratch,
  npm_execpath: npm,
  npm_node_execpath: process.execPath,
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Tester"],
      [`GIT_${who}_EMAIL`, "tester@example"],
    ]),
  ),
};

function release(...args: readonly string[]) {
  rmSync(asked, { force: true });
  const script = resolve(import.meta.dirname, "release.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: "utf8",
    env: environment,
  });
  const commands = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
  return { status, stdout, stderr, commands };
}

function writePackage(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): void {
  const build = "fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/built.js', '')";
  const scripts = { prepack: `node -e "${build}"` };
  write(`packages/${name}/package.json`, { name: `@small/${name}`, version, files: ["dist"], scripts, dependencies });
  write(`packages/${name}/LICENSE`, "A licence\n");
}

test("a release is refused until its commit is clean, of one version, dated and not tagged; then listed, then published", () => {
  write("package.json", {
    name: "small",
    version: "1.2.0",
    private: true,
    workspaces: ["packages/first", "packages/second"],
  });
  write(".gitignore", "dist/\n");
  write("CHANGELOG.md", "## 1.2.0, unreleased\n\n## 1.1.0, 2026-10-01\n");
  writePackage("first", "1.1.0");
  writePackage("second", "1.2.0", { "@small/first": "1.1.0" });
  git("init", "--quiet");
  const refused = release("--publish");
  assert.equal(refused.status, 1);
  assert.deepEqual(refused.stderr.trim().split("\n"), [
    "release: error: The working tree is not clean: 4 of its files, first ?? .gitignore",
    "release: error: packages/first has the version 1.1.0, not 1.2.0",
    "release: error: packages/second needs @small/first 1.1.0, not 1.2.0",
    'release: error: CHANGELOG.md has no section "## 1.2.0, <its date>"',
  ]);
  assert.deepEqual(refused.commands, []);

  writePackage("first", "1.2.0");
  writePackage("second", "1.2.0", { "@small/first": "1.2.0" });
  write("CHANGELOG.md", "## 1.2.0, 2026-11-01\n\n## 1.1.0, 2026-10-01\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "release: 1.2.0");
  write("packages/first/dist/of-an-earlier-build.js", "");
  const listed = release();
  assert.equal(listed.status, 0, listed.stderr);
  assert.match(listed.stdout, /@small\/first@1\.2\.0 +3 files +1 KiB\n +@small\/second@1\.2\.0 +3 files/);
  assert.match(listed.stdout, /^Nothing was published\./m);
  assert.deepEqual(
    listed.commands.map((command) => command.split(" ")[0]),
    ["pack"],
  );

  const published = release("--publish");
  assert.equal(published.status, 0, published.stderr);
  const [packed, ...commands] = published.commands.map((command) => command.replaceAll(/\S+\/(?=\S+\.tgz)/g, ""));
  assert.match(packed ?? "", /^pack --workspaces /);
  assert.deepEqual(commands, [
    "view @small/first@1.2.0 version",
    "view @small/second@1.2.0 version",
    "publish --access public small-second-1.2.0.tgz",
  ]);
  git("rev-parse", "--verify", "v1.2.0^{tag}");

  const again = release("--publish");
  assert.equal(again.status, 1);
  assert.equal(again.stderr, "release: error: The tag v1.2.0 is there already\n");
  assert.deepEqual(again.commands, []);

  rmSync(join(root, "packages/second/LICENSE"));
  git("commit", "--quiet", "--all", "--message", "without a licence");
  git("tag", "--delete", "v1.2.0");
  const unlicensed = release("--publish");
  assert.notEqual(unlicensed.status, 0);
  assert.match(unlicensed.stderr, /the archive of @small\/second has no LICENSE/);
  assert.deepEqual(
    unlicensed.commands.map((command) => command.split(" ")[0]),
    ["pack"],
  );
});
