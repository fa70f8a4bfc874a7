/**
 * A node in a process of its own: the parent sends requests, the child answers them, asks the parent what is outside of it,
 * and reports failures. The only way in which tests fork nodes, rails and endpoints.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { compileCache } from "./cli/bare-environment.ts";

type Numbered<Value> = readonly (readonly [seq: number, value: Value])[];

type ToChild<Options, Request, Reply> =
  | { readonly kind: "start"; readonly options: Options }
  | { readonly kind: "requests"; readonly requests: Numbered<Request> }
  | { readonly kind: "reply"; readonly seq: number; readonly reply: Reply }
  | { readonly kind: "close" };

type FromChild<Answer, Question> =
  | { readonly kind: "ready" }
  | { readonly kind: "answers"; readonly answers: Numbered<Answer> }
  | { readonly kind: "question"; readonly seq: number; readonly question: Question }
  | { readonly kind: "failure"; readonly failure: string };

export interface ChildNode<Request, Answer> {
  readonly pid: number;
  /** Undefined where the process ended before it answered. */
  request(request: Request): Promise<Answer | undefined>;
  /** Count of reports by failure. */
  readonly failures: ReadonlyMap<string, number>;
  /** Printed output; all of it once it is dead. */
  output(): string;
  isDead(): boolean;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
  /** Finishes pending requests and ends; resolves with the exit code. */
  close(): Promise<number | null>;
}

/** `reply`: answers what the child asks; a question that it cannot answer gets none. */
export async function forkChild<Options, Request, Answer, Question = never, Reply = never>(
  script: URL,
  options: Options,
  reply?: (question: Question) => Promise<Reply>,
): Promise<ChildNode<Request, Answer>> {
  const child = fork(script, {
    execArgv: ["--conditions=source"],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  // After its output: what it printed last is known by then.
  const ended = once(child, "close");
  const pending = new Map<number, (answer: Answer | undefined) => void>();
  const failures = new Map<string, number>();
  const ready = Promise.withResolvers<void>();
  const send = (message: ToChild<Options, Request, Reply>) => void (child.connected && child.send(message, () => {}));
  child.on("message", (message: FromChild<Answer, Question>) => {
    if (message.kind === "ready") ready.resolve();
    else if (message.kind === "failure") failures.set(message.failure, (failures.get(message.failure) ?? 0) + 1);
    else if (message.kind === "question") {
      const { seq } = message;
      void reply?.(message.question).then((given) => send({ kind: "reply", seq, reply: given }));
    } else {
      for (const [seq, answer] of message.answers) {
        pending.get(seq)?.(answer);
        pending.delete(seq);
      }
    }
  });
  let isDead = false;
  void ended.then(([code]) => {
    isDead = true;
    ready.reject(new Error(`a node ended with code ${String(code)} before it was ready`));
    for (const resolve of pending.values()) resolve(undefined);
    pending.clear();
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
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
    output: () => output,
    isDead: () => isDead,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    close: async () => {
      send({ kind: "close" });
      await ended;
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

/** Parent, as its child sees it. */
export interface Parent<Question = never, Reply = never> {
  report(failure: string): void;
  /** Sent at once: it has left when the process is killed on the next line. */
  ask(question: Question): Promise<Reply>;
}

/** The child's side: starts a node with the parent's options, and serves it until the parent closes it. */
export function serveParent<Options, Request, Answer, Question = never, Reply = never>(
  start: (options: Options, parent: Parent<Question, Reply>) => Promise<ServedNode<Request, Answer>>,
): void {
  // Once the parent has gone, nobody hears it.
  const send = (message: FromChild<Answer, Question>) => void (process.connected && process.send?.(message));
  const post = inBatches<Answer>((answers) => send({ kind: "answers", answers }));
  const pending = new Set<Promise<void>>();
  const asked = new Map<number, (reply: Reply) => void>();
  let questions = 0;
  const parent: Parent<Question, Reply> = {
    report: (failure) => send({ kind: "failure", failure }),
    ask: (question) => {
      questions += 1;
      const { promise, resolve } = Promise.withResolvers<Reply>();
      asked.set(questions, resolve);
      send({ kind: "question", seq: questions, question });
      return promise;
    },
  };
  let node: ServedNode<Request, Answer> | undefined;
  const answer = async (seq: number, request: Request) => {
    if (node) post(seq, await node.answer(request));
  };
  const handle = async (message: ToChild<Options, Request, Reply>) => {
    if (message.kind === "start") {
      node = await start(message.options, parent);
      send({ kind: "ready" });
      // One that is killed could not do so at its end.
      flushCompileCache();
    } else if (message.kind === "reply") {
      asked.get(message.seq)?.(message.reply);
      asked.delete(message.seq);
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
  process.on("message", (message: ToChild<Options, Request, Reply>) => void handle(message));
}
