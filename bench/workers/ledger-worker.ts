/** The engine in process: commands are submitted, with no HTTP around them. */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { benchReference } from "../command-terms.ts";
import { serveWindows } from "./serve-windows.ts";
import { type LedgerSettings, prepareCommands } from "./command-windows.ts";

serveWindows<LedgerSettings>(async (settings) => {
  const engine = await createEngine({
    open: () => openSession(settings.url, "bench ledger"),
    clock: createClock(),
    reference: () => benchReference,
  });
  return prepareCommands(settings, (command) => engine.submit(command));
});
