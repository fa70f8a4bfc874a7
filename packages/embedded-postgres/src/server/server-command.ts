/** Start of PostgreSQL's programs: under which account, with which environment, tied to our life or not. */
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import type { ServerAccount } from "./server-account.ts";

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The account to run under; undefined: ours. */
  readonly account: ServerAccount | undefined;
  /** A directory that account may enter: ours may be closed to it. */
  readonly cwd: string;
  readonly stdio: StdioOptions;
}

/**
 * Starts the program. On Linux the kernel interrupts it (for a postmaster: a fast shutdown) when this process dies of
 * whatever cause. The kernel ties that to the *thread* that started it: call from the main thread only.
 * The process gets a session of its own: a Ctrl-C at the terminal must reach us alone, so that we may stop in order.
 */
export function spawnServerCommand({ program, args, account, cwd, stdio }: ServerCommand): ChildProcess {
  // An empty environment keeps PGHOST, PGDATA, LC_ALL and the like from reaching the server.
  const settings = { cwd, stdio, env: {}, detached: process.platform !== "win32", windowsHide: true };
  const setpriv = findSetpriv();
  if (setpriv !== undefined) {
    const as =
      account === undefined ? [] : ["--reuid", `${account.uid}`, "--regid", `${account.gid}`, "--clear-groups"];
    return spawn(setpriv, ["--pdeathsig", "INT", ...as, program, ...args], settings);
  }
  return spawn(program, args, account === undefined ? settings : { ...settings, ...account });
}

let foundSetpriv: { readonly path: string | undefined } | undefined;

/** The `setpriv` of util-linux, if it is there and knows `--pdeathsig` (busybox's does not). */
function findSetpriv(): string | undefined {
  foundSetpriv ??= {
    path: ["/usr/bin/setpriv", "/bin/setpriv", "/run/current-system/sw/bin/setpriv"].find(
      (path) => existsSync(path) && spawnSync(path, ["--pdeathsig", "INT", "true"]).status === 0,
    ),
  };
  return foundSetpriv.path;
}
