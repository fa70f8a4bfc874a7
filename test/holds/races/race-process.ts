/** A racing node in a process of its own, driven by messages from `race-node.ts`. */
import type { Reply } from "../../../packages/server/src/call.ts";
import { createClock } from "../../../packages/server/src/clock.ts";
import { type HoldNode, startHoldNode } from "../hold-node.ts";
import { eventsTo, type FromProcess, type NodeRequest, type RaceNodeOptions, type ToProcess } from "./race-node.ts";

const clock = createClock();
let node: HoldNode | undefined;

const post = (message: FromProcess) => void process.send?.(message);

async function start({ url, reference }: RaceNodeOptions): Promise<void> {
  const events = eventsTo((failure) => post({ kind: "failed", failure }));
  node = await startHoldNode({ url, clock, reference: () => reference, events });
  post({ kind: "ready" });
}

let answers: (readonly [number, Reply | undefined])[] = [];

/** One message for the answers of each tick. */
function answer(seq: number, value: Reply | undefined): void {
  if (answers.push([seq, value]) > 1) return;
  setImmediate(() => {
    post({ kind: "answers", answers });
    answers = [];
  });
}

async function run(seq: number, request: NodeRequest): Promise<void> {
  if (request.kind === "call") return answer(seq, await node?.call(request.call));
  if (request.kind === "expire") await node?.expire();
  else clock.setOffset(request.ms);
  answer(seq, undefined);
}

process.on("message", (message: ToProcess) => {
  if (message.kind === "start") void start(message);
  else if (message.kind === "close") void node?.[Symbol.asyncDispose]().then(() => process.disconnect());
  else for (const [seq, request] of message.requests) void run(seq, request);
});
