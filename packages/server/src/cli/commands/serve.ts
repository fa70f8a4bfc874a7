/** `titian serve`: runs the service until it is stopped. */
import type { Command } from "commander";
import { loadConfig, npmParent } from "../../config.ts";
import { watchParent } from "@titian/embedded-postgres";
import { createLog } from "../../observability/log.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { announce } from "../serve/announce.ts";
import { checkPort } from "../serve/check-port.ts";
import { stopOnSignals } from "../serve/stop-on-signals.ts";
import { superviseStop } from "../serve/stop-supervisor.ts";

/** Maximum time to drain, after the configured delay. */
const drainMaxMs = 19_000;
/** Then the process is killed. */
const killAfterMs = 1_000;

const examples = `
Without DATABASE_URL it runs the sandbox with embedded PostgreSQL in TITIAN_DATA_DIR (.titian).

Examples:
  titian serve
  PORT=0 TITIAN_DATA_DIR=/tmp/titian titian serve
  DATABASE_URL=postgres://… TITIAN_MASTER_KEY=… TITIAN_PROVIDER_KEY=… TITIAN_BANK_CODE=… titian serve

SIGTERM and Ctrl-C drain the service and exit with 0; a second one exits at once.`;

export function addServe(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("serve")
    .description("run the service (settings come from the environment)")
    .addHelpText("after", examples)
    .action(async () => end(await serve()));
}

async function serve(): Promise<ExitCode> {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel });
  const npm = npmParent();
  const limitMs = config.shutdownDelayMs + drainMaxMs;
  const supervisor = superviseStop(limitMs + killAfterMs);
  const onStopRequested = () => void supervisor.then(({ stopping }) => stopping());
  const { requested, stop } = stopOnSignals({ limitMs, end: endAtOnce, onStopRequested });
  const unwatch = watchParent({ npm, onGone: stop });
  await checkPort(config.port, config.host);
  if (config.management) await checkPort(config.management.port, config.management.host);
  // Loaded here because no other command needs it and loading is slow.
  const { startTitian } = await import("../serve/start-titian.ts");
  const service = await startTitian({ config, log, onProgress: print });
  print(announce(config, service, npm ? "npm run -s titian --" : "titian"));

  const failure = await Promise.race([requested, service.failed]);
  stop();
  note("Stopping: draining accepted requests");
  await service.close();
  unwatch();
  if (failure === undefined) return exitCodes.done;
  throw new CliError(`The service had to stop: ${failure.message}`, exitCodes.failed, { cause: failure });
}

function endAtOnce(exitCode: number, why: "signal" | "overdue"): never {
  if (why === "overdue")
    note(
      `The service did not stop within ${(drainMaxMs + killAfterMs) / 1_000} s and was terminated. Nothing accepted is lost.`,
    );
  process.exit(exitCode);
}
