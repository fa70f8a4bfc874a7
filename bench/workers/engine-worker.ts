/** Operation 17 through its handler and the engine, over a session in memory. */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { handleIntrabankTransfer } from "../../packages/server/src/operations/transfers/intrabank-transfer.ts";
import { createPartnerTurns } from "../../packages/server/src/operations/partner-turns.ts";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { benchReference } from "../command-terms.ts";
import { openMemorySession } from "../layers/memory-session.ts";
import { intrabankCalls } from "../rails/handler-calls.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LedgerSettings } from "./command-windows.ts";
import { serveWindows } from "./serve-windows.ts";

serveWindows<LedgerSettings>(async ({ url, partner, accountNumbers }) => {
  const clock = createClock();
  const reference = () => benchReference;
  const handle = handleIntrabankTransfer({
    engine: await createEngine({ open: () => openMemorySession(url), clock, reference }),
    clock,
    reads: createReads(createReadPool(url, 1)),
    readTurns: createPartnerTurns({ running: 1, runningOfOnePartner: 1, waiting: 0, waitingOfOnePartner: 0 }),
    reference,
  });
  const makeCall = intrabankCalls(partner);
  const nextId = createIds();
  const pick = createPicker(accountNumbers, "uniform");
  const call = async () => {
    const reply = await handle(makeCall(nextId(), pick()));
    if (reply.case !== "success") throw new Error(`A call was answered ${JSON.stringify(reply)}.`);
    return true;
  };
  return (window) => Promise.resolve(() => runClosedLoop(window, call));
});
