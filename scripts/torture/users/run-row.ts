/** Runs the commands of one kind of user, one after the other, until one fails. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { npmCommand } from "../../pack/run.ts";
import type { Step, UserRow } from "./rows.ts";

export interface RowEnd {
  readonly tookMs: number;
  readonly failure?: string;
}

const root = resolve(import.meta.dirname, "../../..");
const progressMs = 20_000;
/** Lines shown of a command that failed. */
const tailLines = 40;

export async function runRow({ steps }: UserRow, log: Writable): Promise<RowEnd> {
  const startedAt = performance.now();
  let failure: string | undefined;
  for (const step of steps) {
    failure = await runStep(step, log);
    if (failure !== undefined) break;
  }
  return { tookMs: performance.now() - startedAt, ...(failure !== undefined && { failure }) };
}

/** Answers why it failed. */
async function runStep({ command, env, limitMinutes }: Step, log: Writable): Promise<string | undefined> {
  const text = [...Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`), ...command].join(" ");
  console.log(`  ${text}`);
  const startedAt = performance.now();
  const [name, ...args] = command;
  const [program, all] = name === "npm" ? npmCommand(args) : [name, args];
  const child = spawn(program, all, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const endWithUs = () => killGroup(child);
  process.once("exit", endWithUs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      output = `${output}${part}`.slice(-20_000);
      log.write(part);
    });
  }
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const progress = setInterval(() => console.log(`    ${seconds()}: ${lastLine(output)}`), progressMs);
  let isOverdue = false;
  const overdue = setTimeout(() => {
    isOverdue = true;
    killGroup(child);
  }, limitMinutes * 60_000);
  const end = await Promise.race([
    once(child, "close").then(([code, signal]) => (code === 0 ? undefined : `${signal ?? `exit code ${code}`}`)),
    once(child, "error").then(([error]) => String(error)),
  ]);
  clearInterval(progress);
  clearTimeout(overdue);
  process.off("exit", endWithUs);
  if (end === undefined) {
    console.log(`    done in ${seconds()}`);
    return undefined;
  }
  console.log(output.trimEnd().split("\n").slice(-tailLines).join("\n"));
  return `${text}: ${isOverdue ? `was not over within ${limitMinutes} minutes` : end}`;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1)?.slice(0, 120) ?? "";
