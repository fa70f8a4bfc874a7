/** A version of every package: its archives, and their way to the registry. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { npmCommand, run, runNpm, runToEnd } from "../pack/run.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Release {
  readonly root: string;
  readonly version: string;
  readonly tag: string;
  /** In the order of the root's `workspaces`, in which each comes behind those that it needs. */
  readonly packages: readonly { readonly directory: string; readonly manifest: Manifest }[];
}

export interface Archive {
  readonly path: string;
  /** As `@titian/client@0.2.0`. */
  readonly spec: string;
  readonly files: number;
  readonly bytes: number;
}

export function readRelease(root: string): Release {
  const { version, workspaces }: { version: string; workspaces: readonly string[] } = readJson(root);
  const packages = workspaces.map((directory) => ({
    directory,
    manifest: readJson(join(root, directory)) as Manifest,
  }));
  return { root, version, tag: `v${version}`, packages };
}

const readJson = (directory: string) => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

/** Builds every package anew, so that nothing of an earlier build is packed. @throws when an archive has no licence. */
export function packAll({ root, packages }: Release, destination: string): readonly Archive[] {
  for (const { directory } of packages) rmSync(join(root, directory, "dist"), { recursive: true, force: true });
  runNpm(["pack", "--workspaces", `--pack-destination=${destination}`], { cwd: root });
  return packages.map(({ manifest: { name, version } }) => {
    const path = join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    if (!existsSync(path)) throw new Error(`npm made no archive of ${name}`);
    const files = run("tar", ["-tzf", path], { cwd: root }).split("\n").filter(Boolean);
    if (!files.includes("package/LICENSE")) throw new Error(`the archive of ${name} has no LICENSE`);
    return { path, spec: `${name}@${version}`, files: files.length, bytes: statSync(path).size };
  });
}

/** Publishes what the registry does not have yet, so that a release that was interrupted goes on; then tags the commit. */
export function publishAll({ root, version, tag }: Release, archives: readonly Archive[], say: (line: string) => void) {
  for (const { path, spec } of archives) {
    const [program, args] = npmCommand(["view", spec, "version"]);
    const { status, output } = runToEnd(program, args, { cwd: root });
    if (status === 0 && output.trim() === version) say(`${spec} was published before`);
    else {
      runNpm(["publish", "--access", "public", path], { cwd: root });
      say(`${spec} is published`);
    }
  }
  run("git", ["tag", "--annotate", tag, "--message", version], { cwd: root });
}
