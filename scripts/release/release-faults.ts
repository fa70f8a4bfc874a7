/** Reasons for which a commit cannot be released. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "./release.ts";
import { run } from "../pack/run.ts";

export function findFaults(release: Release): readonly string[] {
  return [...uncommitted(release), ...otherVersions(release), ...undated(release), ...tagged(release)];
}

function uncommitted({ root }: Release): readonly string[] {
  const files = run("git", ["status", "--porcelain"], { cwd: root }).split("\n").filter(Boolean);
  const [first] = files;
  return first === undefined
    ? []
    : [`The working tree is not clean: ${files.length} of its files, first ${first.trim()}`];
}

/** Packages have the repository's version, and need each other in it. */
function otherVersions({ version, packages }: Release): readonly string[] {
  const names = packages.map(({ manifest }) => manifest.name);
  return packages.flatMap(({ directory, manifest }) => {
    const needed = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const others = needed.filter(([name, its]) => names.includes(name) && its !== version);
    return [
      ...(manifest.version === version ? [] : [`${directory} has the version ${manifest.version}, not ${version}`]),
      ...others.map(([name, its]) => `${directory} needs ${name} ${its}, not ${version}`),
    ];
  });
}

function undated({ root, version }: Release): readonly string[] {
  const path = join(root, "CHANGELOG.md");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const isDated = lines.some((line) => line.startsWith(`## ${version}, `) && /, \d{4}-\d\d-\d\d$/.test(line));
  return isDated ? [] : [`CHANGELOG.md has no section "## ${version}, <its date>"`];
}

function tagged({ root, tag }: Release): readonly string[] {
  const { status } = spawnSync("git", ["rev-parse", "--quiet", "--verify", `refs/tags/${tag}`], { cwd: root });
  return status === 0 ? [`The tag ${tag} is there already`] : [];
}
