/** Starts engines in processes of their own over one database: two nodes are two processes. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import type { Transfer, TransferFacts } from "./transfers.ts";

export interface NodeTransfer extends Transfer {
  /** The node stops itself (SIGSTOP) between the two round trips of this transfer's batch. */
  readonly stopsNode?: boolean;
}

export type ToNode =
  | { readonly kind: "submit"; readonly transfers: readonly (readonly [seq: number, NodeTransfer])[] }
  | { readonly kind: "close" };

export type FromNode =
  | { readonly kind: "ready" }
  | { readonly kind: "outcome"; readonly seq: number; readonly outcome: Outcome<TransferFacts> }
  | { readonly kind: "failed"; readonly failure: string };

/** The outcome for a caller; a node that died sent none. */
export type Answer = Outcome<TransferFacts> | { readonly kind: "unanswered" };

export interface ForkedNode extends AsyncDisposable {
  readonly pid: number;
  submit(transfer: NodeTransfer): Promise<Answer>;
  /** How often batches failed, by class and code. */
  readonly failures: ReadonlyMap<string, number>;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
  /** Finishes accepted commands and ends; resolves with the exit code. */
  close(): Promise<number | null>;
}

export interface NodeOptions {
  readonly idempotencyWindowMs?: number;
}

export async function forkNode(url: string, options: NodeOptions = {}): Promise<ForkedNode> {
  const child = fork(
    new URL("./node-process.ts", import.meta.url),
    [url, String(options.idempotencyWindowMs ?? 86_400_000)],
    { execArgv: ["--conditions=source"], serialization: "advanced" },
  );
  const exited = once(child, "exit");
  const pending = new Map<number, (answer: Answer) => void>();
  const failures = new Map<string, number>();
  let started = (_: Error | undefined) => {};
  const ready = new Promise<void>((resolve, reject) => {
    started = (error) => (error ? reject(error) : resolve());
  });
  child.on("message", (message: FromNode) => {
    if (message.kind === "ready") started(undefined);
    if (message.kind === "failed") failures.set(message.failure, (failures.get(message.failure) ?? 0) + 1);
    if (message.kind !== "outcome") return;
    pending.get(message.seq)?.(message.outcome);
    pending.delete(message.seq);
  });
  child.once("exit", (code) => {
    started(new Error(`a node ended with code ${code} before it was ready`));
    for (const answer of pending.values()) answer({ kind: "unanswered" });
    pending.clear();
  });
  await ready;

  let seq = 0;
  let batch: (readonly [number, NodeTransfer])[] = [];
  // One message for each tick: thousands of small ones cost more than their work.
  const send = () => {
    if (child.connected) child.send({ kind: "submit", transfers: batch } satisfies ToNode, () => {});
    batch = [];
  };
  const submit = (transfer: NodeTransfer) =>
    new Promise<Answer>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve({ kind: "unanswered" });
      seq += 1;
      pending.set(seq, resolve);
      if (batch.push([seq, transfer]) === 1) setImmediate(send);
    });
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const close = async () => {
    if (child.connected) child.send({ kind: "close" } satisfies ToNode, () => {});
    await exited;
    return child.exitCode;
  };
  return { pid: child.pid ?? 0, submit, failures, kill, close, [Symbol.asyncDispose]: kill };
}
