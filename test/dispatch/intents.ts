/** Callers who want each of their transfers made once: they ask again, with the same numbers, until one is decided. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import type { Intent } from "./check-ends.ts";
import type { NodeCall, NodeOperation } from "./nodes/dispatch-node.ts";
import { conductNames } from "./rail-journal.ts";
import { bulkTo, callTo } from "./dispatch-fixture.ts";

export interface CallersOptions {
  readonly partner: string;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** One call on whichever node; undefined when that died over it. */
  readonly call: (call: NodeCall) => Promise<Reply | undefined>;
}

const names: readonly NodeOperation[] = [
  "interbankTransfer",
  "interbankTransfer",
  "interbankBulkTransfer",
  "rtgsTransfer",
  "sknTransfer",
];
const itemsMost = 20;
const triesMost = 1_000;

/** One intent of a payer, until it is decided; its callers may be two at once. */
export async function carryOut(payer: string, options: CallersOptions): Promise<Intent> {
  const { random, partner } = options;
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const name = pick(names);
  const count = name === "interbankBulkTransfer" ? 1 + Math.floor(random() * itemsMost) : 1;
  const conducts = Array.from({ length: count }, () => pick(conductNames));
  const call = count > 1 ? bulkTo(conducts, { payer, partner }) : callTo(name, String(conducts), { payer, partner });
  const replies: (Reply | undefined)[] = [];
  const ask = async () => {
    for (let tries = 0; tries < triesMost; tries += 1) {
      const reply = await options.call(call);
      replies.push(reply);
      if (reply && isDecided(reply)) return;
      await sleep(20 + random() * 80);
    }
    throw new Error(`no decision on ${conducts.join()} of ${payer} after ${triesMost} tries`);
  };
  await Promise.all(random() < 0.2 ? [ask(), ask()] : [ask()]);
  return { payer, replies };
}

/** Spec D7: what decides an intent; anything else leaves it open. */
function isDecided(reply: Reply): boolean {
  return reply.case !== "generalError" && reply.case !== "serviceUnavailable";
}

/** Counts the times that each reply was given. */
export function countReplies(intents: readonly Intent[]): string {
  const counts = new Map<string, number>();
  for (const reply of intents.flatMap(({ replies }) => replies)) {
    const answer = reply?.case ?? "none";
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return [...counts].map(([answer, count]) => `${count} ${answer}`).join(", ");
}
