/** One engine in a process of its own, forked by `fork-node.ts`. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import { noEvents } from "../../packages/server/src/engine/batch/events.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import { serveParent } from "../support/child-node.ts";
import type { NodeTransfer } from "./fork-node.ts";
import { referenceWith, transferCommand, type TransferPayload } from "./transfers.ts";

serveParent<string, NodeTransfer, Outcome<TransferPayload>>(async (url, { report }) => {
  const reference = referenceWith(86_400_000);
  let isStarting = true;
  /** At the start, waits for a database that is starting; later the engine does. */
  const open = async (): Promise<Session> => {
    for (;;) {
      try {
        return await openSession(url, `test node ${process.pid}`);
      } catch (error) {
        if (!isStarting) throw error;
        await sleep(50);
      }
    }
  };
  const engine = await createEngine({
    open,
    clock: createClock(),
    reference: () => reference,
    events: {
      ...noEvents,
      failed: (failure, code) => report(`${failure} ${code ?? ""}`.trim()),
      poison: (_, error) => report(`alone: ${String(error)}`),
    },
  });
  isStarting = false;
  return { answer: (transfer) => engine.submit(commandOf(transfer)), close: () => engine.close() };
});

/** One that stops its node is decided between the two round trips of its batch: with accounts locked, nothing written. */
function commandOf(transfer: NodeTransfer) {
  const command = transferCommand(transfer);
  let stops = transfer.stopsNode === true;
  const decide: typeof command.decide = (found, context) => {
    if (stops) process.kill(process.pid, "SIGSTOP");
    stops = false;
    return command.decide(found, context);
  };
  return { ...command, decide };
}
