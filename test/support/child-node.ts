/** A node in a process of its own: the parent sends requests, the child answers them and reports failures. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

type Numbered<Value> = readonly (readonly [seq: number, value: Value])[];

type ToChild<Options, Request> =
  | { readonly kind: "start"; readonly options: Options }
  | { readonly kind: "requests"; readonly requests: Numbered<Request> }
  | { readonly kind: "close" };

type FromChild<Answer> =
  | { readonly kind: "ready" }
  | { readonly kind: "answers"; readonly answers: Numbered<Answer> }
  | { readonly kind: "failure"; readonly failure: string };

export interface ChildNode<Request, Answer> {
  readonly pid: number;
  /** Undefined where the process ended before it answered. */
  request(request: Request): Promise<Answer | undefined>;
  /** How often each failure was reported. */
  readonly failures: ReadonlyMap<string, number>;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
  /** Finishes pending requests and ends; resolves with the exit code. */
  close(): Promise<number | null>;
}

export async function forkChild<Options, Request, Answer>(
  script: URL,
  options: Options,
): Promise<ChildNode<Request, Answer>> {
  const child = fork(script, { execArgv: ["--conditions=source"], serialization: "advanced" });
  const exited = once(child, "exit");
  const pending = new Map<number, (answer: Answer | undefined) => void>();
  const failures = new Map<string, number>();
  const ready = Promise.withResolvers<void>();
  child.on("message", (message: FromChild<Answer>) => {
    if (message.kind === "ready") ready.resolve();
    else if (message.kind === "failure") failures.set(message.failure, (failures.get(message.failure) ?? 0) + 1);
    else {
      for (const [seq, answer] of message.answers) {
        pending.get(seq)?.(answer);
        pending.delete(seq);
      }
    }
  });
  child.once("exit", (code) => {
    ready.reject(new Error(`a node ended with code ${code} before it was ready`));
    for (const resolve of pending.values()) resolve(undefined);
    pending.clear();
  });
  const send = (message: ToChild<Options, Request>) => void (child.connected && child.send(message, () => {}));
  send({ kind: "start", options });
  await ready.promise;

  let seq = 0;
  const post = inBatches<Request>((requests) => send({ kind: "requests", requests }));
  return {
    pid: child.pid ?? 0,
    request: (request) => {
      if (hasEnded(child)) return Promise.resolve(undefined);
      seq += 1;
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      pending.set(seq, resolve);
      post(seq, request);
      return promise;
    },
    failures,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
    close: async () => {
      send({ kind: "close" });
      await exited;
      return child.exitCode;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** One message for each tick: thousands of small ones cost more than their work. */
function inBatches<Value>(send: (batch: Numbered<Value>) => void): (seq: number, value: Value) => void {
  let batch: (readonly [number, Value])[] = [];
  return (seq, value) => {
    if (batch.push([seq, value]) > 1) return;
    setImmediate(() => {
      send(batch);
      batch = [];
    });
  };
}

export interface ServedNode<Request, Answer> {
  answer(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

/** The child's side: starts a node with the parent's options, and serves it until the parent closes it. */
export function serveParent<Options, Request, Answer>(
  start: (options: Options, report: (failure: string) => void) => Promise<ServedNode<Request, Answer>>,
): void {
  const send = (message: FromChild<Answer>) => void process.send?.(message);
  const post = inBatches<Answer>((answers) => send({ kind: "answers", answers }));
  const pending = new Set<Promise<void>>();
  let node: ServedNode<Request, Answer> | undefined;
  const answer = async (seq: number, request: Request) => {
    if (node) post(seq, await node.answer(request));
  };
  const handle = async (message: ToChild<Options, Request>) => {
    if (message.kind === "start") {
      node = await start(message.options, (failure) => send({ kind: "failure", failure }));
      send({ kind: "ready" });
    } else if (message.kind === "close") {
      await node?.close();
      await Promise.all(pending);
      // Behind the last batch of answers.
      setImmediate(() => process.disconnect());
    } else {
      for (const [seq, request] of message.requests) {
        const answered = answer(seq, request).finally(() => pending.delete(answered));
        pending.add(answered);
      }
    }
  };
  process.on("message", (message: ToChild<Options, Request>) => void handle(message));
}
