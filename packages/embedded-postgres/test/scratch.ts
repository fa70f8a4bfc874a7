/** Support of the tests of the embedded PostgreSQL: directories that go away, and processes that run a server. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { isAlive } from "../src/process/process-identity.ts";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "../src/start-embedded-postgres.ts";
import { waitUntil } from "../src/process/wait-until.ts";

export const isRoot = process.getuid?.() === 0;
const quiet = { warn: () => {}, error: () => {} };

/** Small and quick: what is tested here is the runner. */
export const small: Pick<EmbeddedPostgresOptions, "log" | "settings"> = {
  log: quiet,
  settings: { shared_buffers: "16MB" },
};

/** A new directory that others may pass but not list; removed after the file's tests, with the clusters it names. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "titian-embedded-"));
  chmodSync(directory, 0o711);
  after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return directory;
}

/** Removes the cluster that a data directory names elsewhere, when the file's tests are over. */
export function removeNamedCluster(dataDir: string): void {
  const { home }: { home: string } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8"));
  if (isAbsolute(home)) after(() => rmSync(home, { recursive: true, force: true }));
}

export async function query(postgres: Pick<EmbeddedPostgres, "url">, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export interface Runner {
  readonly child: ChildProcess;
  readonly url: string;
  /** Process id of the server it runs. */
  readonly pid: number;
}

/** Starts another process that runs the data directory's server; `uid` as which user (root only). */
export async function startRunner(dataDir: string, options: { uid?: number } = {}): Promise<Runner> {
  const child = spawnRunner(dataDir, options);
  if (child.stdout === null) throw new Error("started without a pipe");
  for await (const line of createInterface(child.stdout)) {
    const { url, pid }: { url: string; pid: number } = JSON.parse(line);
    return { child, url, pid };
  }
  throw new Error(`the process of ${dataDir} ended without a server`);
}

export function spawnRunner(dataDir: string, { uid }: { uid?: number } = {}): ChildProcess {
  const script = fileURLToPath(new URL("./runner.ts", import.meta.url));
  const as = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, ["--conditions=source", script, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
    ...as,
  });
  after(() => child.kill("SIGKILL"));
  return child;
}

export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** True when the process ends within 10 s. */
export async function ends(pid: number): Promise<boolean> {
  const end = await waitUntil(() => (isAlive(pid) ? undefined : true), { timeoutMs: 10_000, everyMs: 10 });
  return end === true;
}
