/** Operations 17 and 18 through their handlers, with engine, dispatch and a rail in this process, and no HTTP. */
import type { Handler } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { handleInterbankTransfer } from "../../packages/server/src/operations/transfers/interbank-transfer.ts";
import { handleIntrabankTransfer } from "../../packages/server/src/operations/transfers/intrabank-transfer.ts";
import { createPartnerTurns } from "../../packages/server/src/operations/partner-turns.ts";
import { createDispatcher } from "../../packages/server/src/rails/dispatcher.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { noEvents } from "../../test/support/dispatcher.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { benchReference } from "../command-terms.ts";
import { createBenchRail } from "../rails/bench-rail.ts";
import { interbankCalls, intrabankCalls } from "../rails/handler-calls.ts";
import { createPeakWatch } from "../rails/watch-peaks.ts";
import { isCapture, isRail, railAnswerMs } from "../subject.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LedgerSettings } from "./command-windows.ts";
import { serveWindows } from "./serve-windows.ts";

/** As a service has them. */
const dispatchLimits = {
  railAnswerMs: 10_000,
  interbankWaitMs: 10_000,
  callsMax: 1_024,
  inquiryIntervals: { min: 10_000, max: 300_000 },
};

serveWindows<LedgerSettings>(async ({ url, partner, accountNumbers }) => {
  const clock = createClock();
  const peaks = createPeakWatch();
  const reference = () => benchReference;
  const reads = createReadPool(url, 4);
  const engine = peaks.watchEngine(
    await createEngine({ open: () => openSession(url, "bench handler"), clock, reference }),
  );
  const rail = createBenchRail("interbank");
  const { sender } = createDispatcher({
    rails: { interbank: rail, rtgs: createBenchRail("rtgs"), skn: createBenchRail("skn") },
    engine,
    clock,
    reads,
    findConfirmed: createReads(reads).findTransfer,
    database: createAdminPool(url, 2),
    events: noEvents,
    ...dispatchLimits,
  });
  const deps = {
    engine,
    clock,
    reads: createReads(reads),
    readTurns: createPartnerTurns({ running: 4, runningOfOnePartner: 4, waiting: 0, waitingOfOnePartner: 0 }),
    reference,
    sender: peaks.watchSender(sender),
  };
  const intrabank = { handle: handleIntrabankTransfer(deps), makeCall: intrabankCalls(partner) };
  const interbank = { handle: handleInterbankTransfer(deps), makeCall: interbankCalls(partner) };
  const nextId = createIds();

  return (window) => {
    const { load } = window;
    if (isCapture(load)) throw new Error(`Nothing here takes ${load}.`);
    const { handle, makeCall } = isRail(load) ? interbank : intrabank;
    rail.answerAfter(railAnswerMs(load));
    const pick = createPicker(accountNumbers, load);
    const call = () => callOnce(handle, makeCall(nextId(), pick()));
    return Promise.resolve(async () => {
      peaks.take();
      const seen = await runClosedLoop(window, call);
      return { ...seen, peaks: peaks.take() };
    });
  };
});

/** A transfer over the rail that is answered with success has been settled: its money is with the other bank. */
async function callOnce(handle: Handler, call: Parameters<Handler>[0]): Promise<true> {
  const reply = await handle(call);
  if (reply.case !== "success") throw new Error(`A call was answered ${JSON.stringify(reply)}.`);
  return true;
}
