/** Starts a node in a process of its own, answers its calls to rails, and hears of its death. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { compileCache } from "../../support/cli/bare-environment.ts";
import type { NodeCall } from "./dispatch-node.ts";
import type { FromNode, Moment, NodeSettings, RailAnswer, ToNode } from "./node-messages.ts";

export interface ForkedNode extends AsyncDisposable {
  readonly pid: number;
  /** The moments it passed so far; the last one of a node that killed itself is where it died. */
  readonly moments: readonly Moment[];
  /** What it said of rails that contradict themselves. */
  readonly warnings: readonly string[];
  isDead(): boolean;
  /** Its reply; undefined when it died before it gave one. */
  call(call: NodeCall): Promise<Reply | undefined>;
  /** The jobs once; false when it died over them. */
  look(): Promise<boolean>;
  /** How far its business time is ahead of real time (ms). */
  setOffset(offset: number): void;
  /** It kills itself (SIGKILL) at the given moment from now on, counted from 1. */
  arm(at: number): void;
  kill(): Promise<void>;
  /** Ends what is under way; resolves with the exit code. */
  close(): Promise<number | null>;
}

export type Rails = Readonly<Record<RailName, Rail>>;

export async function forkNode(settings: NodeSettings, rails: Rails): Promise<ForkedNode> {
  const child = startProcess(settings);
  // After its output: the moment of its death is known by then.
  const ended = once(child, "close");
  let isDead = false;
  const send = (message: ToNode) => void (child.connected && child.send(message, () => {}));
  const answers = createAnswers(send);
  const warnings: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.on("message", (message: FromNode) => {
    if (message.kind === "ready") resolve();
    else if (message.kind === "warned") warnings.push(message.warning);
    else if (message.kind !== "rail") answers.take(message);
    else void answerOf(rails, message).then((answer) => send({ kind: "railAnswer", seq: message.seq, answer }));
  });
  void ended.then(() => {
    isDead = true;
    reject(new Error("a node ended before it was ready"));
    answers.end();
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await ready;

  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    get moments() {
      return output.split("\n").slice(0, -1) as Moment[];
    },
    warnings,
    isDead: () => isDead,
    call: async (call) => {
      const message = await answers.ask((seq) => ({ kind: "call", seq, call }));
      return message?.kind === "reply" ? message.reply : undefined;
    },
    setOffset: (offset) => send({ kind: "clock", offset }),
    look: async () => {
      const message = await answers.ask((seq) => ({ kind: "look", seq }));
      if (message?.kind === "looked" && message.failure !== undefined) throw new Error(message.failure);
      return message !== undefined;
    },
    arm: (at) => send({ kind: "arm", at }),
    kill,
    close: async () => {
      send({ kind: "close" });
      await ended;
      return child.exitCode;
    },
    [Symbol.asyncDispose]: kill,
  };
}

function startProcess(settings: NodeSettings): ChildProcess {
  return fork(new URL("./node-process.ts", import.meta.url), [JSON.stringify(settings)], {
    execArgv: ["--conditions=source"],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
}

type Answer = Extract<FromNode, { readonly kind: "reply" | "looked" }>;

/** Who waits for what the node answers; once it has ended, nobody gets anything. */
function createAnswers(send: (message: ToNode) => void) {
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let seq = 0;
  let isOver = false;
  return {
    ask: (message: (seq: number) => ToNode): Promise<Answer | undefined> => {
      if (isOver) return Promise.resolve(undefined);
      seq += 1;
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      waiting.set(seq, resolve);
      send(message(seq));
      return promise;
    },
    take: (answer: Answer) => {
      waiting.get(answer.seq)?.(answer);
      waiting.delete(answer.seq);
    },
    end: () => {
      isOver = true;
      for (const tell of waiting.values()) tell(undefined);
      waiting.clear();
    },
  };
}

async function answerOf(rails: Rails, { name, method, args }: FromNode & { kind: "rail" }): Promise<RailAnswer> {
  const rail = rails[name];
  // Who calls gives up by itself.
  const call = rail[method] as (...given: readonly unknown[]) => Promise<unknown>;
  try {
    return { kind: "answered", value: await call(...args, new AbortController().signal) };
  } catch (error) {
    return { kind: error instanceof RailDown ? "down" : "broken" };
  }
}
