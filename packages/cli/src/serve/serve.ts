/** What `titian serve` runs. */
import { watchParent } from "@titian/embedded-postgres";
import { createLog, loadConfig } from "@titian/server";
import { npmParent } from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { programName } from "../program-name.ts";
import { announce } from "./announce.ts";
import { checkPort } from "./check-port.ts";
import { collectGarbageEvenly } from "./collect-garbage-evenly.ts";
import { stopOnSignals } from "./stop-on-signals.ts";
import { startTitian } from "./start-titian.ts";
import { superviseStop } from "./stop-supervisor.ts";

/** Maximum time to drain, after the configured delay. */
const drainMaxMs = 19_000;
/** Then the process is killed. */
const killAfterMs = 1_000;

export async function serve(): Promise<ExitCode> {
  collectGarbageEvenly();
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
  const service = await startTitian({ config, log, onProgress: print });
  print(announce(config, service, programName()));

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
