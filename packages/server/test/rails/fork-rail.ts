/** Starts a rail in a process of its own, calls it there, and kills it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Instruction, RailResult } from "../../src/rails/rail.ts";
import type { RailPlan } from "./open-rail.ts";

export type RailCall =
  | { readonly kind: "submit"; readonly instruction: Instruction }
  | { readonly kind: "results"; readonly most: number }
  | { readonly kind: "take"; readonly results: readonly RailResult[] };

export interface ToRail {
  readonly seq: number;
  readonly call: RailCall;
}

/** `seq` 0: it is open. */
export interface FromRail {
  readonly seq: number;
  readonly isAnswered: boolean;
  readonly value?: unknown;
}

/** What came of a call; "unanswered" also when the process died. */
type Answer = { readonly kind: "answered"; readonly value: unknown } | { readonly kind: "unanswered" };

export interface ForkedRail extends AsyncDisposable {
  call(call: RailCall): Promise<Answer>;
  /** Kills the process outright; resolves when it is gone. */
  kill(): Promise<void>;
}

export async function forkRail(plan: RailPlan): Promise<ForkedRail> {
  const child = fork(new URL("./rail-process.ts", import.meta.url), [JSON.stringify(plan)], {
    execArgv: ["--conditions=source"],
  });
  const exited = once(child, "exit");
  const waiting = new Map<number, (answer: Answer) => void>();
  const ready = new Promise<void>((resolve, reject) => {
    waiting.set(0, ({ kind }) => (kind === "answered" ? resolve() : reject(new Error("the rail did not open"))));
  });
  child.on("message", ({ seq, isAnswered, value }: FromRail) => {
    waiting.get(seq)?.(isAnswered ? { kind: "answered", value } : { kind: "unanswered" });
    waiting.delete(seq);
  });
  child.once("exit", () => {
    for (const answer of waiting.values()) answer({ kind: "unanswered" });
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
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
