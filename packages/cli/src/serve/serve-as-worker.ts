/** Process of a `titian serve` with several workers. Its supervisor tells it when to stop. */
import { type Config, createLog } from "@titian/server";
import { joinWorkers } from "@titian/server/workers";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { startTitian } from "./start-titian.ts";

export async function serveAsWorker(config: Config): Promise<ExitCode> {
  // A terminal and a service manager send their signals to the supervisor as well.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  const group = joinWorkers();
  const service = await startTitian({
    config,
    log: createLog({ level: config.logLevel }),
    onProgress: () => undefined,
    group,
  });
  const stopped = await Promise.race([group.stopRequested, service.failed]);
  if (stopped instanceof Error) {
    await service.close({ skipsDelay: true });
    throw new CliError(`The worker had to stop: ${stopped.message}`, exitCodes.failed, { cause: stopped });
  }
  await service.close(stopped);
  return exitCodes.done;
}
