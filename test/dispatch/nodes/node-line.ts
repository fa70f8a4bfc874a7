/** One node after the other on the same database: each serves until it is killed, then the next takes over. */
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { NodeCall } from "./dispatch-node.ts";
import { type ForkedNode, forkNode, type Rails } from "./fork-node.ts";
import type { Moment } from "./node-messages.ts";

export interface Passed {
  /** Moments that each node passed, the first one first; where one died is the last of its moments. */
  readonly moments: readonly (readonly Moment[])[];
  readonly deaths: readonly Moment[];
}

export interface NodeLine extends AsyncDisposable {
  /** From now on the node dies at the first of these moments, counted from 1; who takes over at the next, and so on. */
  begin(kills: readonly number[]): void;
  /** Moments that were passed since `begin`; nobody dies any more. */
  end(): Passed;
  /** Undefined when the node died over it. */
  call(call: NodeCall): Promise<Reply | undefined>;
  /** The jobs once, on the node that lives; false when it died over them. */
  look(): Promise<boolean>;
  /** Sets the distance of business time from real time (ms), for every node. */
  setOffset(offset: number): void;
}

const settings = { interbankWaitMs: 250, railTimeoutMs: 5_000 };
const never = Number.MAX_SAFE_INTEGER;

export async function createNodeLine(url: string, rails: Rails): Promise<NodeLine> {
  const fork = () => forkNode({ ...settings, url }, rails);
  let node = await fork();
  // Ready before it is needed: it takes over at once.
  let spare = fork();
  let offset = 0;
  let left: number[] = [];
  let moments: (readonly Moment[])[] = [];
  let deaths: Moment[] = [];
  let passedBefore = 0;

  const arm = () => {
    passedBefore = node.moments.length;
    node.setOffset(offset);
    node.arm(left.shift() ?? never);
  };
  const write = () => {
    const passed = node.moments.slice(passedBefore);
    moments.push(passed);
    if (node.isDead()) deaths.push(passed.at(-1) as Moment);
  };
  const living = async (): Promise<ForkedNode> => {
    if (node.isDead()) {
      write();
      node = await spare;
      spare = fork();
      arm();
    }
    return node;
  };
  return {
    begin: (kills) => {
      left = [...kills];
      [moments, deaths] = [[], []];
      arm();
    },
    end: () => {
      write();
      node.arm(never);
      return { moments, deaths };
    },
    call: async (call) => (await living()).call(call),
    look: async () => (await living()).look(),
    setOffset: (next) => {
      offset = next;
      node.setOffset(next);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([node.kill(), (await spare).kill()]);
    },
  };
}
