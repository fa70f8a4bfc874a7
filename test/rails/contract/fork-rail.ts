/** Starts a rail in a process of its own, calls it there, and kills it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Instruction, RailResult } from "../../../packages/server/src/rails/rail.ts";
import type { RailPlan } from "./open-rail.ts";

export type RailCall =
  | { readonly kind: "submit"; readonly instruction: Instruction }
  | { readonly kind: "results"; readonly most: number }
  | { readonly kind: "acknowledge"; readonly results: readonly RailResult[] };

export interface ToRail {
  readonly seq: number;
  readonly call: RailCall;
}

/** `seq` 0: it is open. */
export interface FromRail {
  readonly seq: number;
  readonly isAnswered: boolean;
  readonly value?: unknown;
  /** Name of the error it ended in. */
  readonly error?: string;
}

/** What came of a call; "unanswered" also when the process died. */
type Answer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "unanswered"; readonly error: string | undefined };

export interface ForkedRail extends AsyncDisposable {
  call(call: RailCall): Promise<Answer>;
  readonly pid: number;
  /** Kills the process outright; resolves when it is gone. */
  kill(): Promise<void>;
}

interface ForkOptions {
  /** No file grows beyond a kilobyte: writing more fails as on a full disk. */
  readonly hasSmallFiles?: boolean;
}

export async function forkRail(plan: RailPlan, options: ForkOptions = {}): Promise<ForkedRail> {
  const module = new URL("./rail-process.ts", import.meta.url);
  const command = [process.execPath, "--conditions=source", fileURLToPath(module), JSON.stringify(plan)];
  const limited = ["-c", 'ulimit -f 1; exec "$@"', "bash", ...command];
  const [program = "", ...args] = options.hasSmallFiles === true ? ["bash", ...limited] : command;
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const waiting = new Map<number, (answer: Answer) => void>();
  const ready = new Promise<void>((resolve, reject) => {
    waiting.set(0, ({ kind }) => (kind === "answered" ? resolve() : reject(new Error("the rail did not open"))));
  });
  child.on("message", ({ seq, isAnswered, value, error }: FromRail) => {
    waiting.get(seq)?.(isAnswered ? { kind: "answered", value } : { kind: "unanswered", error });
    waiting.delete(seq);
  });
  child.once("exit", () => {
    for (const answer of waiting.values()) answer({ kind: "unanswered", error: undefined });
    waiting.clear();
  });
  await ready;

  let seq = 0;
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return {
    call: (call) => {
      seq += 1;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(seq, resolve);
      child.send({ seq, call } satisfies ToRail, () => {});
      return promise;
    },
    pid: child.pid ?? 0,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
