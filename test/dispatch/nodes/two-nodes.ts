/** Two nodes on one database, both with all jobs; a dead one is replaced, and a stopped one goes on later. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { NodeCall } from "./dispatch-node.ts";
import { type ForkedNode, forkNode, type Rails } from "./fork-node.ts";

export interface TwoNodes extends AsyncDisposable {
  /** On either node. */
  readonly call: (call: NodeCall) => Promise<Reply | undefined>;
  /** Business time moves on, for both (ms). */
  advance(ms: number): void;
  /** One of them dies at a random moment of its dispatch, or wherever it is soon after. */
  readonly killOne: () => Promise<void>;
  readonly killBoth: () => Promise<void>;
  /** One of them is closed, and gives back what it has in hand. */
  readonly closeOne: () => Promise<void>;
  /** One of them stands still while business time passes: others claim what it has in hand. */
  readonly stopOne: () => Promise<void>;
  warnings(): readonly string[];
  /** Summary of what was done to them. */
  summary(): string;
  /** Ends both; answers what was wrong with that. */
  close(): Promise<readonly string[]>;
}

const settings = { interbankWaitMs: 150, railTimeoutMs: 400, everyMs: 40, ask: { min: 500, max: 4_000 } };
/** Limits of a node that is to die: the moments it lives on at most, and the time. */
const momentsMost = 60;
const diesWithinMs = 1_000;

export async function createTwoNodes(url: string, rails: Rails, random: () => number): Promise<TwoNodes> {
  let offset = 0;
  const done = { killed: 0, "killed together": 0, stopped: 0, closed: 0 };
  const warnings: string[] = [];
  const fork = async () => {
    const node = await forkNode({ ...settings, url }, rails);
    node.setOffset(offset);
    return node;
  };
  const nodes = await Promise.all([fork(), fork()]);
  const pickIndex = () => Math.floor(random() * 2);
  const nodeAt = (index: number) => nodes[index] as ForkedNode;
  const kill = async (index: number) => {
    const node = nodeAt(index);
    node.arm(1 + Math.floor(random() * momentsMost));
    for (let leftMs = diesWithinMs; leftMs > 0 && !node.isDead(); leftMs -= 20) await sleep(20);
    await node.kill();
    warnings.push(...node.warnings);
    nodes[index] = await fork();
  };
  return {
    // A node that is being replaced answers nobody.
    call: async (call) => nodeAt(pickIndex()).call(call),
    advance: (ms) => {
      offset += ms;
      for (const node of nodes) node.setOffset(offset);
    },
    killOne: async () => {
      done.killed += 1;
      await kill(pickIndex());
    },
    killBoth: async () => {
      done["killed together"] += 1;
      await Promise.all([kill(0), kill(1)]);
    },
    closeOne: async () => {
      done.closed += 1;
      const index = pickIndex();
      const node = nodeAt(index);
      const code = await node.close();
      warnings.push(...node.warnings, ...(code === 0 ? [] : [`a node ended with code ${code}`]));
      nodes[index] = await fork();
    },
    stopOne: async () => {
      done.stopped += 1;
      const node = nodeAt(pickIndex());
      process.kill(node.pid, "SIGSTOP");
      await sleep(500 + random() * 1_500);
      process.kill(node.pid, "SIGCONT");
    },
    warnings: () => [...warnings, ...nodes.flatMap((node) => node.warnings)],
    summary: () =>
      Object.entries(done)
        .map(([what, times]) => `${what} ${times} times`)
        .join(", "),
    close: async () => {
      const codes = await Promise.all(nodes.map((node) => node.close()));
      return codes.flatMap((code) => (code === 0 ? [] : [`a node ended with code ${code}`]));
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
  };
}
