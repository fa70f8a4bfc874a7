/** One engine in a process of its own, driven by messages from `fork-node.ts`. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../packages/server/src/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import type { FromNode, NodeTransfer, ToNode } from "./fork-node.ts";
import { referenceWith, transferCommand } from "./transfers.ts";

const [, , url = "", windowMs = ""] = process.argv;

const post = (message: FromNode) => void process.send?.(message);

const reference = referenceWith(Number(windowMs));
let isStarting = true;

/** At the start, waits for a database that is starting; later the engine does. */
async function open(): Promise<Session> {
  for (;;) {
    try {
      return await openSession(url, `test node ${process.pid}`);
    } catch (error) {
      if (!isStarting) throw error;
      await sleep(50);
    }
  }
}

const engine = await createEngine({
  open,
  clock: createClock(),
  reference: () => reference,
  events: {
    committed: () => {},
    failed: (failure, code) => post({ kind: "failed", failure: `${failure} ${code ?? ""}`.trim() }),
    unknown: () => {},
    poison: (_, error) => post({ kind: "failed", failure: `alone: ${String(error)}` }),
  },
});

isStarting = false;

/** Decided between the two round trips of its batch: with the accounts locked, and nothing written yet. */
function stoppingCommand(transfer: NodeTransfer) {
  const command = transferCommand(transfer);
  let stops = true;
  const decide: typeof command.decide = (found, context) => {
    if (stops) process.kill(process.pid, "SIGSTOP");
    stops = false;
    return command.decide(found, context);
  };
  return { ...command, decide };
}

async function submit(seq: number, transfer: NodeTransfer): Promise<void> {
  const command = transfer.stopsNode === true ? stoppingCommand(transfer) : transferCommand(transfer);
  post({ kind: "outcome", seq, outcome: await engine.submit(command) });
}

process.on("message", (message: ToNode) => {
  if (message.kind === "submit") for (const [seq, transfer] of message.transfers) void submit(seq, transfer);
  else void engine.close().then(() => process.disconnect());
});
post({ kind: "ready" });
