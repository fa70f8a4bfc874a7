/** Nodes that race, in this process or in one of its own, each with a clock that can be moved. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Reply } from "../../../packages/server/src/call.ts";
import { createClock } from "../../../packages/server/src/clock.ts";
import type { EngineEvents } from "../../../packages/server/src/engine/batch/events.ts";
import type { Reference } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { type NodeCall, startHoldNode } from "../hold-node.ts";

export interface RaceNode extends AsyncDisposable {
  call(call: NodeCall): Promise<Reply>;
  /** Runs the expiry job once. */
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

/** A request to a node in another process, answered under its sequence number. */
export type NodeRequest =
  | { readonly kind: "call"; readonly call: NodeCall }
  | { readonly kind: "expire" }
  | { readonly kind: "offset"; readonly ms: number };

export type ToProcess =
  | ({ readonly kind: "start" } & RaceNodeOptions)
  | { readonly kind: "requests"; readonly requests: readonly (readonly [seq: number, request: NodeRequest])[] }
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

/** Reports each failure as a text. */
export function eventsTo(report: (failure: string) => unknown): EngineEvents {
  return {
    committed() {},
    failed: (kind, code) => report(`${kind} ${code ?? ""}`.trim()),
    unknown: () => report("unknown"),
    poison: (_, error) => report(`alone: ${String(error)}`),
  };
}

export async function forkRaceNode(options: RaceNodeOptions): Promise<RaceNode> {
  const child = fork(new URL("./race-process.ts", import.meta.url), [], {
    execArgv: ["--conditions=source"],
    serialization: "advanced",
  });
  const pending = new Map<number, { answer(value: Reply | undefined): void; fail(error: Error): void }>();
  const failures = new Map<string, number>();
  const started = Promise.withResolvers<void>();
  child.on("message", (message: FromProcess) => {
    if (message.kind === "ready") started.resolve();
    else if (message.kind === "failed") failures.set(message.failure, (failures.get(message.failure) ?? 0) + 1);
    else {
      for (const [seq, answer] of message.answers) {
        pending.get(seq)?.answer(answer);
        pending.delete(seq);
      }
    }
  });
  child.once("exit", (code) => {
    const error = new Error(`a node ended with code ${code}`);
    started.reject(error);
    for (const one of pending.values()) one.fail(error);
  });
  send(child, { kind: "start", ...options });
  await started.promise;

  let seq = 0;
  let batch: (readonly [number, NodeRequest])[] = [];
  // One message for each tick: thousands of small ones cost more than their work.
  const flush = () => {
    send(child, { kind: "requests", requests: batch });
    batch = [];
  };
  const request = (sent: NodeRequest) => {
    seq += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Reply | undefined>();
    pending.set(seq, { answer: resolve, fail: reject });
    if (batch.push([seq, sent]) === 1) setImmediate(flush);
    return promise;
  };
  return {
    call: async (call) => {
      const reply = await request({ kind: "call", call });
      if (!reply) throw new Error("a call got no reply");
      return reply;
    },
    expire: async () => void (await request({ kind: "expire" })),
    setOffset: async (ms) => void (await request({ kind: "offset", ms })),
    failures,
    [Symbol.asyncDispose]: () => close(child),
  };
}

function send(child: ChildProcess, message: ToProcess): void {
  // When a process has ended, its pending requests fail.
  if (child.connected) child.send(message, () => {});
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  send(child, { kind: "close" });
  await exited;
  if (child.exitCode !== 0) throw new Error(`a node ended with code ${child.exitCode}`);
}
