/** A sandbox of our own for a check: the real service on a free port, with a data directory that goes away. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Sandbox {
  readonly credentialsFile: string;
  stop(): Promise<void>;
}

const readyWithinMs = 60_000;

export async function startSandbox(root: string, dataDir: string): Promise<Sandbox> {
  const child = spawn(process.execPath, ["--conditions=source", "packages/server/src/cli/main.ts", "serve"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], PORT: "0", TITIAN_DATA_DIR: dataDir, TITIAN_LOG_LEVEL: "warn" },
  });
  const ended = once(child, "exit");
  const credentialsFile = join(dataDir, "sandbox.json");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    removeCluster(dataDir);
  };
  for (let leftMs = readyWithinMs; leftMs > 0 && child.exitCode === null; leftMs -= 100) {
    if (existsSync(credentialsFile)) return { credentialsFile, stop };
    await sleep(100);
  }
  await stop();
  throw new Error(`the sandbox was not ready within ${readyWithinMs / 1000} s; its own lines are above`);
}

/** Under root the embedded PostgreSQL keeps its files elsewhere, and says where. */
function removeCluster(dataDir: string): void {
  const record = join(dataDir, "postgres.json");
  if (!existsSync(record)) return;
  const { home }: { home: string } = JSON.parse(readFileSync(record, "utf8"));
  if (isAbsolute(home)) rmSync(home, { recursive: true, force: true });
}
