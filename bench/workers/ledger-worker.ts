/** The engine in process: transfers are submitted as commands, with no HTTP around them. */
import { createClock } from "../../packages/server/src/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession } from "../../packages/server/src/store/session.ts";
import { benchReference } from "../transfers/transfer-command.ts";
import { serveWindows } from "./serve-windows.ts";
import { type LedgerSettings, prepareTransfers } from "./transfer-windows.ts";

serveWindows<LedgerSettings>(async (settings) => {
  const engine = await createEngine({
    open: () => openSession(settings.url, "bench ledger"),
    clock: createClock(),
    reference: () => benchReference,
  });
  return prepareTransfers(settings, (command) => engine.submit(command));
});
