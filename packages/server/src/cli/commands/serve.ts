/** `titian serve`: the service, until it is told to stop. */
import type { Command } from "commander";
import { loadConfig, npmParent } from "../../config.ts";
import { watchParent } from "../../embedded/watch-parent.ts";
import { createLog } from "../../log.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { announce } from "../serve/announce.ts";
import { checkPort } from "../serve/check-port.ts";
import { stopOnSignals } from "../serve/stop-on-signals.ts";
import { superviseStop } from "../serve/stop-supervisor.ts";

/** Drained within this time after the delay of the settings, or given up. */
const stopWithinMs = 19_000;
/** Where even giving up does not come about. */
const killedAfterMs = 1_000;

const examples = `
Without DATABASE_URL it runs the sandbox on a PostgreSQL of its own in TITIAN_DATA_DIR (.titian).

Examples:
  titian serve
  PORT=0 TITIAN_DATA_DIR=/tmp/titian titian serve
  DATABASE_URL=postgres://… TITIAN_MASTER_KEY=… TITIAN_PROVIDER_KEY=… TITIAN_BANK_CODE=… titian serve

SIGTERM and Ctrl-C finish what was accepted and exit with 0; a second one ends at once.`;

export function addServe(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("serve")
    .description("run the service (all settings come from the environment)")
    .addHelpText("after", examples)
    .action(async () => end(await serve()));
}

async function serve(): Promise<ExitCode> {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel });
  const npm = npmParent();
  const limitMs = config.shutdownDelayMs + stopWithinMs;
  const supervisor = superviseStop(limitMs + killedAfterMs);
  const onAsked = () => void supervisor.then(({ stopping }) => stopping());
  const { asked, stop } = stopOnSignals({ limitMs, end: endAtOnce, onAsked });
  const unwatch = watchParent({ npm, onGone: stop });
  await checkPort(config.port, config.host);
  if (config.management) await checkPort(config.management.port, config.management.host);
  // Loaded here: no other command needs the service, and it takes longer to load than they take to run.
  const { startService } = await import("../../compose.ts");
  const service = await startService({ config, log, onProgress: print });
  print(announce(config, service, npm ? "npm run -s titian --" : "titian"));

  const failure = await Promise.race([asked, service.failed]);
  stop();
  note("Stopping: finishing what was accepted");
  await service.close();
  unwatch();
  if (failure === undefined) return exitCodes.done;
  throw new CliError(`The service had to stop: ${failure.message}`, exitCodes.failed, { cause: failure });
}

function endAtOnce(exitCode: number, why: "signal" | "overdue"): never {
  if (why === "overdue")
    note(`It did not stop within ${(stopWithinMs + killedAfterMs) / 1_000} s and is ended. Nothing accepted is lost.`);
  process.exit(exitCode);
}
