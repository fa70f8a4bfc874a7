/** Runs programs to their end, npm among them. */
import { spawnSync } from "node:child_process";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The Node that runs npm; absent: the one that ran the npm above us. */
  readonly node?: string;
}

export interface Finished {
  readonly status: number | null;
  /** Output of both kinds. */
  readonly output: string;
}

export function runToEnd(program: string, args: readonly string[], { cwd, env = process.env }: RunOptions): Finished {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, output: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
}

/** @throws with what it printed when it fails. */
export function run(program: string, args: readonly string[], options: RunOptions): string {
  const { status, output } = runToEnd(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed in ${options.cwd}:\n${output}`);
  return output;
}

/** @throws with what it printed when it fails. */
export function runNpm(args: readonly string[], options: RunOptions): string {
  return run(...npmCommand(args, options.node), options);
}

/** Program and arguments of an npm command. */
export function npmCommand(args: readonly string[], node?: string): [string, readonly string[]] {
  const script = process.env["npm_execpath"];
  if (script === undefined) return ["npm", args];
  return [node ?? process.env["npm_node_execpath"] ?? process.execPath, [script, ...args]];
}
