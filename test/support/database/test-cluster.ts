/** A PostgreSQL of the tests' own, gone with the process that started it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, startEmbeddedPostgres, type EmbeddedPostgres } from "@titian/embedded-postgres";
import { runStatements } from "./with-client.ts";

export interface TestCluster {
  readonly postgres: EmbeddedPostgres;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

const prefix = "titian-test-";
const memory = "/dev/shm";
const roomNeeded = 8 * 1_024 ** 3;

/**
 * Durable as in production: what the tests show of crashes must hold there. Many files at once need more sessions; each derives
 * its key from a password that guards nothing here.
 */
const settings = { max_connections: "300", shared_buffers: "128MB", max_wal_size: "512MB", scram_iterations: "1" };

/** Names the schema of the tables of a process' tests: of some of `npm test`, of all of `npm run torture -- schema`. */
export const schemaVariable = "TITIAN_TEST_SCHEMA";
/** Undefined: `public`. */
export const schema = process.env[schemaVariable];

export async function startTestCluster(): Promise<TestCluster> {
  sweepLeftovers();
  const directory = makeTestDirectory();
  const complain = (_event: string, message: string) => process.stderr.write(`test cluster: ${message}\n`);
  const postgres = await startEmbeddedPostgres({
    dataDir: directory,
    placement: "dataDir",
    settings: { ...settings, ...(schema && { search_path: schema }) },
    log: { warn: () => {}, error: complain },
  });
  // Every database is a copy of the template.
  for (const database of schema ? [postgres.url, `${new URL("/template1", postgres.url)}`] : [])
    await runStatements(database, [`create schema ${schema}`]);
  const removeAtExit = () => {
    // The runner's own handler, registered before, has asked the server to stop.
    waitForEnd(postgres.pid);
    removeDirectory(directory);
  };
  process.once("exit", removeAtExit);
  return {
    postgres,
    remove: async () => {
      await postgres.stop();
      process.off("exit", removeAtExit);
      removeDirectory(directory);
    },
  };
}

/** For files of servers; swept when this process has left it behind. */
export function makeTestDirectory(): string {
  const directory = mkdtempSync(join(parentDirectory(), `${prefix}${process.pid}-`));
  // Under root the server runs as another account, which must be able to pass.
  chmodSync(directory, 0o711);
  return directory;
}

/** Removes what killed processes left behind. */
export function sweepLeftovers(): void {
  for (const parent of new Set([parentDirectory(), tmpdir()])) {
    for (const name of readdirSync(parent)) {
      const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
      if (pid !== undefined && !isAlive(Number(pid))) removeDirectory(join(parent, name));
    }
  }
}

/** In memory where there is plenty: a killed server finds all that it wrote, and a flush costs nothing. */
function parentDirectory(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomNeeded ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch {
    // Another user's leftovers are that user's to remove.
  }
}

/** Waits, without an event loop, for a process to end; at most 5 s. */
function waitForEnd(pid: number): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; round < 250 && isAlive(pid); round += 1) Atomics.wait(never, 0, 0, 20);
}
