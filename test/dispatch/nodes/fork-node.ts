/** Starts a node in a process of its own, answers its calls to rails, and hears of its death. */
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { forkChild } from "../../support/child-node.ts";
import type { NodeCall } from "./dispatch-node.ts";
import type { Moment, NodeAnswer, NodeRequest, NodeSettings, RailAnswer, RailQuestion } from "./node-messages.ts";

export interface ForkedNode extends AsyncDisposable {
  readonly pid: number;
  /** The moments it passed so far; the last one of a node that killed itself is where it died. */
  readonly moments: readonly Moment[];
  /** Warnings about rails that contradict themselves. */
  readonly warnings: readonly string[];
  isDead(): boolean;
  /** Its reply; undefined when it died before it gave one. */
  call(call: NodeCall): Promise<Reply | undefined>;
  /** The jobs once; false when it died over them. */
  look(): Promise<boolean>;
  /** Sets the distance of its business time from real time (ms). */
  setOffset(offset: number): void;
  /** It kills itself (SIGKILL) at the given moment from now on, counted from 1. */
  arm(at: number): void;
  kill(): Promise<void>;
  /** Ends what is under way; resolves with the exit code. */
  close(): Promise<number | null>;
}

export type Rails = Readonly<Record<RailName, Rail>>;

export async function forkNode(settings: NodeSettings, rails: Rails): Promise<ForkedNode> {
  const script = new URL("./node-process.ts", import.meta.url);
  const child = await forkChild<NodeSettings, NodeRequest, NodeAnswer, RailQuestion, RailAnswer>(
    script,
    settings,
    (question) => answerOf(rails, question),
  );
  const { pid, isDead, kill, close, request } = child;
  return {
    pid,
    isDead,
    kill,
    close,
    get moments() {
      return child.output().split("\n").slice(0, -1) as Moment[];
    },
    get warnings() {
      return [...child.failures].flatMap(([warning, times]) => Array.from({ length: times }, () => warning));
    },
    call: async (call) => {
      const answer = await request({ kind: "call", call });
      return answer?.kind === "reply" ? answer.reply : undefined;
    },
    setOffset: (offset) => void request({ kind: "clock", offset }),
    look: async () => {
      const answer = await request({ kind: "look" });
      if (answer?.kind === "done" && answer.failure !== undefined) throw new Error(answer.failure);
      return answer !== undefined;
    },
    arm: (at) => void request({ kind: "arm", at }),
    [Symbol.asyncDispose]: kill,
  };
}

async function answerOf(rails: Rails, { name, method, args }: RailQuestion): Promise<RailAnswer> {
  const rail = rails[name];
  // The caller gives up by itself.
  const call = rail[method] as (...given: readonly unknown[]) => Promise<unknown>;
  try {
    return { kind: "answered", value: await call(...args, new AbortController().signal) };
  } catch (error) {
    return { kind: error instanceof RailDown ? "down" : "broken" };
  }
}
