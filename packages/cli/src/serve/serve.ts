/** Action of `titian serve`. */
import { startEmbeddedPostgres, watchParent } from "@titian/embedded-postgres";
import { type Config, createLog, loadConfig, type ServiceDeps } from "@titian/server";
import { npmParent } from "@titian/server/config";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { programName } from "../program-name.ts";
import { announce } from "./announce.ts";
import { checkPort } from "./check-port.ts";
import { collectGarbageEvenly } from "./collect-garbage-evenly.ts";
import { stopOnSignals } from "./stop-on-signals.ts";
import { rejectSecondStart } from "./running-sandbox.ts";
import { startTitian } from "./start-titian.ts";
import { superviseStop } from "./stop-supervisor.ts";

/** Maximum time to drain, after the configured delay. */
const drainMaxMs = 19_000;
/** Then the process is killed. */
const killAfterMs = 1_000;

/** A service in this process, or in workers. */
interface Running {
  readonly baseUrl: string;
  readonly managementUrl: string;
  readonly failed: Promise<Error>;
  close(): Promise<void>;
  /** Replaces the workers one after the other. */
  restart?(): Promise<void>;
  /** Ends the workers at once. */
  kill?(): void;
}

/** Workers are started with the options of their supervisor. */
export async function serve({ inquiriesOnly }: { readonly inquiriesOnly?: true } = {}): Promise<ExitCode> {
  collectGarbageEvenly();
  const config = { ...loadConfig(), ...(inquiriesOnly && { inquiriesOnly }) };
  const workers = config.workers > 1 ? await import("@titian/server/workers") : undefined;
  if (workers?.isWorker()) return (await import("./serve-as-worker.ts")).serveAsWorker(config);
  return serveHere(config, async (deps) =>
    workers ? workers.startWorkers({ ...deps, startDatabase: startEmbeddedPostgres }) : startTitian(deps),
  );
}

type StartRunning = (deps: Pick<ServiceDeps, "config" | "log" | "onProgress">) => Promise<Running>;

async function serveHere(config: Config, start: StartRunning): Promise<ExitCode> {
  const log = createLog({ level: config.logLevel });
  const npm = npmParent();
  const limitMs = config.shutdownDelayMs + drainMaxMs;
  const supervisor = superviseStop(limitMs + killAfterMs);
  const workers: Pick<Running, "restart" | "kill"> = {};
  const { requested, stop } = stopOnSignals({
    limitMs,
    end: (exitCode, why) => {
      workers.kill?.();
      endAtOnce(exitCode, why);
    },
    onStopRequested: () => void supervisor.then(({ stopping }) => stopping()),
    restart: () => {
      if (config.workers > 1) return restartWorkers(workers.restart);
      // A sandbox belongs to its terminal, whose end is this signal.
      return config.sandbox ? undefined : sayThatNothingRestarts();
    },
  });
  const unwatch = watchParent({ npm, onGone: stop });
  await rejectSecondStart(config);
  await checkPort(config.port, config.host);
  if (config.management) await checkPort(config.management.port, config.management.host);
  const running = await start({ config, log, onProgress: print });
  Object.assign(workers, running);
  print(announce(config, running, programName()));

  const failure = await Promise.race([requested, running.failed]);
  stop();
  note("Stopping: draining accepted requests");
  await running.close();
  unwatch();
  if (failure === undefined) return exitCodes.done;
  throw new CliError(`The service had to stop: ${failure.message}`, exitCodes.failed, { cause: failure });
}

async function sayThatNothingRestarts(): Promise<void> {
  note(
    "SIGHUP replaces workers, and this node is one process: nothing was read again, and it serves on. Restart it, or set TITIAN_WORKERS to 2 or more",
  );
}

/** The workers that do not start have said why. */
async function restartWorkers(restart: (() => Promise<void>) | undefined): Promise<void> {
  if (restart === undefined) return note("The workers are starting: there is none to restart yet");
  note("Restarting the workers one after the other");
  try {
    await restart();
    note("The workers are restarted");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    note(`The restart was given up, and the workers that were not replaced serve on: ${reason}`);
  }
}

function endAtOnce(exitCode: number, why: "signal" | "overdue"): never {
  if (why === "overdue")
    note(
      `The service did not stop within ${(drainMaxMs + killAfterMs) / 1_000} s and was terminated. Nothing accepted is lost.`,
    );
  process.exit(exitCode);
}
