/** A copy of the repository in which mutants are run: the tree itself is never changed. */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isAlive } from "@titian/embedded-postgres";
import { applyMutant, type Mutant } from "./mutant.ts";

export interface Copy extends Disposable {
  readonly directory: string;
  /** Calls the work while the copy has the bug. */
  withMutant<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
}

const prefix = "titian-mutants-";
const copied = ["packages", "scripts", "test", "vectors", "docs", "package.json", "tsconfig.json", "README.md"];
const left: readonly string[] = ["node_modules", "dist", ".titian"];

/** Removed with this process; where that was killed, by the next run. */
export function makeCopy(root: string): Copy {
  sweepLeftovers();
  const directory = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.once("exit", remove);
  for (const name of copied) {
    cpSync(join(root, name), join(directory, name), {
      recursive: true,
      filter: (source) => !left.includes(basename(source)),
    });
  }
  linkModules(join(root, "node_modules"), join(directory, "node_modules"));
  return {
    directory,
    withMutant: async (mutant, work) => {
      const path = join(directory, mutant.path);
      const content = readFileSync(path, "utf8");
      writeFileSync(path, applyMutant(mutant, content));
      try {
        return await work();
      } finally {
        writeFileSync(path, content);
      }
    },
    [Symbol.dispose]: () => {
      process.off("exit", remove);
      remove();
    },
  };
}

/** Packages of others as links; those of the repository lead to the copy's own. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.startsWith("@")) linkModules(join(from, name), join(to, name));
    else if (lstatSync(join(from, name)).isSymbolicLink()) symlinkSync(readlinkSync(join(from, name)), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}

function sweepLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
