/** A cluster made by the PostgreSQL that Debian or Ubuntu has installed, with the embedded one's settings; gone with the run. */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "../../packages/embedded-postgres/src/server/free-port.ts";
import {
  accessRules,
  renderServerSettings,
  type ServerSettings,
} from "../../packages/embedded-postgres/src/server/server-settings.ts";
import { query } from "./databases.ts";

const run = promisify(execFile);
const startWithinMs = 30_000;

export const howToInstallPostgres =
  "There is no PostgreSQL of Debian's in /usr/lib/postgresql: nothing is measured. apt-get install postgresql-contrib installs it.";

interface InstalledPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Under root the server must run as another user: Debian's own. */
type Account = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** The directory of the newest release's programs; undefined where there is none. */
export function findInstalledPostgres(): string | undefined {
  const found = globSync("/usr/lib/postgresql/*/bin").filter((path) => existsSync(join(path, "postgres")));
  return found.toSorted((a, b) => majorOf(a) - majorOf(b)).at(-1);
}

export async function startInstalledPostgres(programs: string, settings: ServerSettings): Promise<InstalledPostgres> {
  const account = process.getuid?.() === 0 ? findAccount("postgres") : {};
  const home = mkdtempSync(join(tmpdir(), "titian-bench-postgres-"));
  const data = join(home, "data");
  const password = randomBytes(24).toString("base64url");
  const passwordFile = join(home, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`);
  if (account.uid !== undefined)
    for (const path of [home, data, passwordFile]) chownSync(path, account.uid, account.gid);
  const options = [`--pgdata=${data}`, `--pwfile=${passwordFile}`, "--username=titian", "--auth=scram-sha-256"];
  await run(join(programs, "initdb"), [...options, "--encoding=UTF8", "--locale=C"], { cwd: home, ...account });
  writeFileSync(join(data, "postgresql.conf"), renderServerSettings(settings));
  writeFileSync(join(data, "pg_hba.conf"), accessRules);
  const port = await findFreePort();
  const server = spawn(join(programs, "postgres"), ["-D", data, "-p", String(port)], {
    cwd: home,
    stdio: "ignore",
    ...account,
  });
  const ended = once(server, "exit");
  const leave = () => {
    server.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", leave);
  const url = `postgres://titian:${password}@127.0.0.1:${port}/postgres`;
  await waitForServer(url);
  return {
    url,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      process.off("exit", leave);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function waitForServer(url: string): Promise<void> {
  for (const startedAt = performance.now(); ; await sleep(100)) {
    try {
      await query(url, "select 1");
      return;
    } catch (cause) {
      if (performance.now() - startedAt > startWithinMs)
        throw new Error("The installed PostgreSQL did not start.", { cause });
    }
  }
}

function findAccount(name: string): Account {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((text) => text.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`There is no user ${name} to run PostgreSQL as.`);
  return { uid: Number(uid), gid: Number(gid) };
}

function majorOf(path: string): number {
  return Number(path.split("/").at(-2));
}
