/** Debian's PostgreSQL, which a provider has by apt: a cluster of this run's own, on a loopback port, under an account without rights. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { queryRows } from "../../../../test/support/database/with-client.ts";
import { freePort } from "./free-port.ts";

export interface DebianPostgres extends AsyncDisposable {
  /** As `version()` has it. */
  readonly version: string;
  /** URL of a role in a database. */
  urlOf(role: string, database: string): string;
}

const versions = "/usr/lib/postgresql";
export const password = "of-this-run";
const dba = "dba";
const startTries = 100;

/** `directory`: one that every account may pass. */
export async function startDebianPostgres(directory: string): Promise<DebianPostgres> {
  const programs = findPrograms() ?? install();
  const port = await freePort();
  const data = join(directory, "postgresql");
  const passwordFile = join(directory, "dba.password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  const asServer = serverAccount([data]);
  const [program, ...args] = [...asServer, join(programs, "initdb"), "-D", data, "-U", dba];
  const options = ["--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C.UTF-8"];
  execFileSync(program ?? "", [...args, ...options], { stdio: "pipe", cwd: "/" });
  const server = startServer([...asServer, join(programs, "postgres")], data, port);
  const urlOf = (role: string, database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const version = await findVersion(server, urlOf(dba, "postgres"));
  return { version, urlOf, [Symbol.asyncDispose]: () => stop(server) };
}

export const dbaOf = ({ urlOf }: DebianPostgres): string => urlOf(dba, "postgres");

function startServer([program = "", ...args]: readonly string[], data: string, port: number): ChildProcess {
  const settings = [`-p${port}`, "-clisten_addresses=127.0.0.1", "-cunix_socket_directories="];
  const server = spawn(program, [...args, "-D", data, ...settings], {
    stdio: ["ignore", "ignore", "ignore"],
    cwd: "/",
  });
  process.once("exit", () => server.kill("SIGQUIT"));
  return server;
}

async function findVersion(server: ChildProcess, url: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    try {
      const [row] = await queryRows(url, "select split_part(version(), ' on ', 1) as version");
      return (row as { readonly version: string }).version;
    } catch (error) {
      if (count === startTries || server.exitCode !== null) throw error;
      await sleep(100);
    }
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill("SIGINT");
  await once(server, "exit");
}

/** Directory of the newest version's programs, which the account's PATH has not. */
function findPrograms(): string | undefined {
  const found = existsSync(versions)
    ? readdirSync(versions)
        .map(Number)
        .toSorted((a, b) => b - a)
    : [];
  return found.map((version) => join(versions, String(version), "bin")).find((bin) => existsSync(join(bin, "initdb")));
}

function install(): string {
  console.log("Installing PostgreSQL by apt");
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"], { stdio: "pipe" });
  const found = findPrograms();
  if (found === undefined) throw new Error(`apt has installed no PostgreSQL below ${versions}.`);
  return found;
}

/** PostgreSQL does not start as root: the words before its programs, where we are. */
function serverAccount(directories: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  execFileSync("chown", ["postgres:", ...directories]);
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"];
}
