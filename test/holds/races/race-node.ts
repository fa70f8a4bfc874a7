/** Nodes that race: in this process, or in one of its own; each with a clock that can be moved. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Reply } from "../../../packages/server/src/call.ts";
import { createClock } from "../../../packages/server/src/clock.ts";
import type { EngineEvents } from "../../../packages/server/src/engine/batch/events.ts";
import type { Reference } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { type NodeCall, startHoldNode } from "../hold-node.ts";

export interface RaceNode extends AsyncDisposable {
  call(call: NodeCall): Promise<Reply>;
  /** The job once. */
  expire(): Promise<void>;
  /** From now on its business time is the real time and this (ms). */
  setOffset(ms: number): Promise<void>;
  /** How often batches failed, by class and code. */
  readonly failures: ReadonlyMap<string, number>;
}

export interface RaceNodeOptions {
  readonly url: string;
  readonly reference: Reference;
}

/** What is asked of a node in another process; each is answered under its number. */
export type Ask =
  | { readonly kind: "call"; readonly call: NodeCall }
  | { readonly kind: "expire" }
  | { readonly kind: "offset"; readonly ms: number };

export type ToProcess =
  | ({ readonly kind: "start" } & RaceNodeOptions)
  | { readonly kind: "asked"; readonly asked: readonly (readonly [seq: number, ask: Ask])[] }
  | { readonly kind: "close" };

export type FromProcess =
  | { readonly kind: "ready" }
  | { readonly kind: "answers"; readonly answers: readonly (readonly [seq: number, answer: Reply | undefined])[] }
  | { readonly kind: "failed"; readonly failure: string };

export async function startLocalNode({ url, reference }: RaceNodeOptions): Promise<RaceNode> {
  const clock = createClock();
  const failures = new Map<string, number>();
  const events = eventsTo((failure) => failures.set(failure, (failures.get(failure) ?? 0) + 1));
  const node = await startHoldNode({ url, clock, reference: () => reference, events });
  return {
    call: (call) => node.call(call),
    expire: () => node.expire(),
    setOffset: async (ms) => clock.setOffset(ms),
    failures,
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}

/** What went wrong on the way, as one text each. */
export function eventsTo(say: (failure: string) => unknown): EngineEvents {
  return {
    committed() {},
    failed: (kind, code) => say(`${kind} ${code ?? ""}`.trim()),
    unknown: () => say("unknown"),
    poison: (_, error) => say(`alone: ${String(error)}`),
  };
}

export async function forkRaceNode(options: RaceNodeOptions): Promise<RaceNode> {
  const child = fork(new URL("./race-process.ts", import.meta.url), [], {
    execArgv: ["--conditions=source"],
    serialization: "advanced",
  });
  const waiting = new Map<number, { answer(value: Reply | undefined): void; fail(error: Error): void }>();
  const failures = new Map<string, number>();
  const started = Promise.withResolvers<void>();
  child.on("message", (message: FromProcess) => {
    if (message.kind === "ready") started.resolve();
    else if (message.kind === "failed") failures.set(message.failure, (failures.get(message.failure) ?? 0) + 1);
    else {
      for (const [seq, answer] of message.answers) {
        waiting.get(seq)?.answer(answer);
        waiting.delete(seq);
      }
    }
  });
  child.once("exit", (code) => {
    const error = new Error(`a node ended with code ${code}`);
    started.reject(error);
    for (const one of waiting.values()) one.fail(error);
  });
  send(child, { kind: "start", ...options });
  await started.promise;

  let seq = 0;
  let batch: (readonly [number, Ask])[] = [];
  // One message for all of a tick: thousands of small ones cost more than the work they ask for.
  const flush = () => {
    send(child, { kind: "asked", asked: batch });
    batch = [];
  };
  const ask = (asked: Ask) => {
    seq += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Reply | undefined>();
    waiting.set(seq, { answer: resolve, fail: reject });
    if (batch.push([seq, asked]) === 1) setImmediate(flush);
    return promise;
  };
  return {
    call: async (call) => {
      const reply = await ask({ kind: "call", call });
      if (!reply) throw new Error("a call got no reply");
      return reply;
    },
    expire: async () => void (await ask({ kind: "expire" })),
    setOffset: async (ms) => void (await ask({ kind: "offset", ms })),
    failures,
    [Symbol.asyncDispose]: () => close(child),
  };
}

function send(child: ChildProcess, message: ToProcess): void {
  // A process that ended fails whoever waits for it.
  if (child.connected) child.send(message, () => {});
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  send(child, { kind: "close" });
  await exited;
  if (child.exitCode !== 0) throw new Error(`a node ended with code ${child.exitCode}`);
}
