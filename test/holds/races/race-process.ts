/** A racing node in a process of its own, driven by messages from `race-node.ts`. */
import type { Reply } from "../../../packages/server/src/call.ts";
import { createClock } from "../../../packages/server/src/clock.ts";
import { type HoldNode, startHoldNode } from "../hold-node.ts";
import { type Ask, eventsTo, type FromProcess, type RaceNodeOptions, type ToProcess } from "./race-node.ts";

const clock = createClock();
let node: HoldNode | undefined;

const say = (message: FromProcess) => void process.send?.(message);

async function start({ url, reference }: RaceNodeOptions): Promise<void> {
  const events = eventsTo((failure) => say({ kind: "failed", failure }));
  node = await startHoldNode({ url, clock, reference: () => reference, events });
  say({ kind: "ready" });
}

let answers: (readonly [number, Reply | undefined])[] = [];

/** Answers of one tick go together. */
function answer(seq: number, value: Reply | undefined): void {
  if (answers.push([seq, value]) > 1) return;
  setImmediate(() => {
    say({ kind: "answers", answers });
    answers = [];
  });
}

async function take(seq: number, ask: Ask): Promise<void> {
  if (ask.kind === "call") return answer(seq, await node?.call(ask.call));
  if (ask.kind === "expire") await node?.expire();
  else clock.setOffset(ask.ms);
  answer(seq, undefined);
}

process.on("message", (message: ToProcess) => {
  if (message.kind === "start") void start(message);
  else if (message.kind === "close") void node?.[Symbol.asyncDispose]().then(() => process.disconnect());
  else for (const [seq, ask] of message.asked) void take(seq, ask);
});
