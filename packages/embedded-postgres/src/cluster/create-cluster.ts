/** Makes a new cluster, whole or not at all: it is built beside its place and moved there when it is ready. */
import { chmodSync, chownSync, closeSync, fsyncSync, mkdirSync, mkdtempSync } from "node:fs";
import { openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { clusterDirectory } from "./cluster-home.ts";
import { handOver } from "./hand-over.ts";
import { writeOwnedFile } from "./owned-file.ts";
import { makerOf, type ServerAccount } from "../server/server-account.ts";
import type { ServerBinaries } from "../server/server-binaries.ts";
import { spawnServerCommand } from "../server/server-command.ts";

/** The owner of everything in the cluster, and the database in it. */
export const ownerName = "titian";
export const databaseName = "titian";

export interface NewCluster {
  readonly binaries: ServerBinaries;
  readonly home: string;
  readonly account: ServerAccount | undefined;
  readonly password: string;
}

/** Replaces whatever lies in the home's cluster directory: the caller holds the lock and knows that nothing is lost. */
export async function createCluster({ binaries, home, account, password }: NewCluster): Promise<void> {
  removeDrafts(home);
  rmSync(clusterDirectory(home), { recursive: true, force: true });
  // A name of its own: the helpers of an initdb that was killed may still be writing to the draft before.
  const draft = mkdtempSync(join(home, draftPrefix));
  const cluster = join(draft, "data");
  const passwordFile = join(draft, "password");
  const maker = account && makerOf(account);
  mkdirSync(cluster, { mode: 0o700 });
  if (maker !== undefined) {
    // Other processes of the maker's user are not in its group, and cannot pass.
    chownSync(draft, 0, maker.gid);
    chmodSync(draft, 0o710);
    chownSync(cluster, maker.uid, maker.gid);
  }
  writeOwnedFile({ path: passwordFile, content: `${password}\n`, mode: 0o600, owner: maker });
  const run = (program: string, args: readonly string[], input: string) =>
    runToEnd({ program, args, input, account: maker, home });
  try {
    await run(binaries.initdb, [...initdbOptions, `--pgdata=${cluster}`, `--pwfile=${passwordFile}`], "");
    await run(binaries.postgres, ["--single", "-D", cluster, "postgres"], `create database ${databaseName}\n`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  if (account && maker) handOver(cluster, maker.uid, account);
  renameSync(cluster, clusterDirectory(home));
  rmSync(draft, { recursive: true });
  syncDirectory(home);
}

const draftPrefix = "creating-";

function removeDrafts(home: string): void {
  for (const name of readdirSync(home)) {
    if (!name.startsWith(draftPrefix)) continue;
    try {
      rmSync(join(home, name), { recursive: true, force: true });
    } catch {
      // Still being written to; the next start removes it.
    }
  }
}

const initdbOptions = [
  `--username=${ownerName}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  // Built into the server: sorting does not change with the machine's C library, whose indexes then would be wrong.
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C",
  "--no-instructions",
];

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly account: ServerAccount | undefined;
  readonly home: string;
}

async function runToEnd({ program, args, input, account, home }: Run): Promise<void> {
  const child = spawnServerCommand({ program, args, account, cwd: home, stdio: "pipe" });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error(`${program} was started without pipes`);
  // A program that fails at once closes its input before reading it; its exit code tells.
  stdin.on("error", () => {});
  stdin.end(input);
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `${code}`));
  });
  const [outcome, output, errors] = await Promise.all([ended, text(stdout), text(stderr)]);
  if (outcome === "0") return;
  const advice = errors.includes("could not look up effective user ID")
    ? "PostgreSQL asks for a user with a name: give this one an entry in /etc/passwd, or set DATABASE_URL.\n"
    : "";
  throw new Error(`${advice}${program} ended with ${outcome}:\n${output}${errors}`.trimEnd());
}

/** A renamed directory is sure to stay renamed only when its parent is on the disk. */
function syncDirectory(directory: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
