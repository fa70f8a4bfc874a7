/** Nodes that race, in this process or in one of its own, each with a clock that can be moved. */
import { noEvents } from "../../../packages/server/src/engine/batch/events.ts";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { homeAlone } from "../../../packages/server/src/ledger/reference/directory.ts";
import type { Reference } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { forkChild, type Parent, type ServedNode } from "../../support/child-node.ts";
import { type NodeCall, startHoldNode } from "../hold-node.ts";

export interface RaceNode extends AsyncDisposable {
  call(call: NodeCall): Promise<Reply>;
  /** Runs the expiry job once. */
  expire(): Promise<void>;
  /** From now on its business time is the real time and this (ms). */
  setOffset(ms: number): Promise<void>;
  /** Count of failed batches, by class and code. */
  readonly failures: ReadonlyMap<string, number>;
}

export interface RaceNodeOptions {
  readonly url: string;
  /** As another process can get it: without functions. */
  readonly reference: Omit<Reference, "directory">;
}

export type NodeRequest =
  | { readonly kind: "call"; readonly call: NodeCall }
  | { readonly kind: "expire" }
  | { readonly kind: "offset"; readonly ms: number };

export type ServedRaceNode = ServedNode<NodeRequest, Reply | "done">;

/** In this process, or the child's side of a node in its own. */
export async function serveRaceNode(
  { url, reference }: RaceNodeOptions,
  { report }: Pick<Parent, "report">,
): Promise<ServedRaceNode> {
  const clock = createClock();
  const node = await startHoldNode({
    url,
    clock,
    reference: () => ({ ...reference, directory: homeAlone }),
    events: {
      ...noEvents,
      failed: (kind, code) => report(`${kind} ${code ?? ""}`.trim()),
      unknown: () => report("unknown"),
      poison: (_, error) => report(`alone: ${String(error)}`),
    },
  });
  return {
    answer: async (request) => {
      if (request.kind === "call") return node.call(request.call);
      if (request.kind === "expire") await node.expire();
      else clock.setOffset(request.ms);
      return "done";
    },
    close: async () => node[Symbol.asyncDispose](),
  };
}

export async function startLocalNode(options: RaceNodeOptions): Promise<RaceNode> {
  const failures = new Map<string, number>();
  const report = (failure: string) => void failures.set(failure, (failures.get(failure) ?? 0) + 1);
  const node = await serveRaceNode(options, { report });
  return raceNode(node.answer, failures, node.close);
}

export async function forkRaceNode(options: RaceNodeOptions): Promise<RaceNode> {
  const script = new URL("./race-process.ts", import.meta.url);
  const { directory: _, ...reference } = { directory: undefined, ...options.reference };
  const child = await forkChild<RaceNodeOptions, NodeRequest, Reply | "done">(script, { ...options, reference });
  return raceNode(child.request, child.failures, async () => {
    const code = await child.close();
    if (code !== 0) throw new Error(`a node ended with code ${code}`);
  });
}

function raceNode(
  request: (request: NodeRequest) => Promise<Reply | "done" | undefined>,
  failures: ReadonlyMap<string, number>,
  close: () => Promise<void>,
): RaceNode {
  const run = async (sent: NodeRequest) => {
    const answer = await request(sent);
    if (answer === undefined) throw new Error("a node ended before it answered");
    return answer;
  };
  return {
    call: async (call) => {
      const reply = await run({ kind: "call", call });
      return reply === "done" ? Promise.reject(new Error("a call got no reply")) : reply;
    },
    expire: async () => void (await run({ kind: "expire" })),
    setOffset: async (ms) => void (await run({ kind: "offset", ms })),
    failures,
    [Symbol.asyncDispose]: close,
  };
}
