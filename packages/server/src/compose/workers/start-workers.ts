/** The supervisor of a node of several workers (ADR 0038): it starts them, keeps them running, and takes no calls itself. */
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { createClock } from "../../basics/clock.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../observability/log.ts";
import { createSecrets } from "../../basics/secrets.ts";
import { type Database, openDatabase, type StartDatabase } from "../database.ts";
import { checkStart } from "../start/check-start.ts";
import { balanceConnections } from "./balance.ts";
import { combineMetrics, combineReadiness, type Reported } from "./combine-reports.ts";
import type { Addresses, Question, Reports, Summaries } from "./messages.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { createWorkerSlot, type WorkerSlot } from "./worker-slot.ts";

export interface WorkersDeps {
  readonly config: Config;
  readonly log: Log;
  /** Gets the steps of a start that take seconds, as texts for a person. */
  readonly onProgress: (text: string) => void;
  /** Used without `DATABASE_URL`. */
  readonly startDatabase?: StartDatabase | undefined;
}

export interface Workers extends Addresses {
  /** Replaces the workers one after the other, each when its successor listens. @throws when one does not start: the others go on. */
  restart(): Promise<void>;
  /** Stops all as one node stops: no call is lost, no connection reset. Further calls wait for the same end. */
  close(): Promise<void>;
  /** Ends all at once. */
  kill(): void;
  /** Resolves when the workers can no longer work and should be ended; never otherwise. */
  readonly failed: Promise<Error>;
}

/**
 * Starts `config.workers` processes of this program, which call `joinWorkers`.
 * @throws when the first of them does not start: it has said why on standard error.
 */
export async function startWorkers({ log, onProgress, startDatabase, ...deps }: WorkersDeps): Promise<Workers> {
  const config = await checkStart({ config: deps.config, log });
  await using stack = new AsyncDisposableStack();
  const failed = Promise.withResolvers<Error>();
  const database = await openOwnDatabase({ config, log, onProgress, startDatabase }, failed.resolve);
  stack.defer(() => database?.stop());
  // The system hands a connection to a worker that is free. Round robin goes through the supervisor, and a caller whose
  // connection is on its way to a worker that dies is never answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const env = { ...(await choosePorts(config)), ...(database && { DATABASE_URL: database.url }) };
  const processes = new Set<WorkerProcess>();
  stack.defer(() => processes.forEach((worker) => worker.kill()));
  const fork = () => {
    const worker = startWorker({ env, summarize: (question) => summarize(question, slots) });
    processes.add(worker);
    void worker.ended.then(() => processes.delete(worker));
    return worker;
  };
  const slots = Array.from({ length: config.workers }, (_, index) =>
    createWorkerSlot({ number: index + 1, log, fork }),
  );
  const [first, ...others] = slots;
  if (first === undefined) throw new Error("A node has at least one worker.");
  onProgress(`Starting ${config.workers} workers`);
  const addresses = await first.start();
  await Promise.all(others.map((slot) => slot.start()));
  const stopBalancing = balanceConnections(() => servingOf(slots));
  onProgress("Ready");

  stack.move();
  let closed: Promise<void> | undefined;
  const stop = async () => {
    await stopBalancing();
    await stopAll(slots, processes);
    await database?.stop();
  };
  return {
    ...addresses,
    failed: failed.promise,
    async restart() {
      for (const slot of slots) await slot.replace();
    },
    close: () => {
      closed ??= stop();
      return closed;
    },
    kill: () => processes.forEach((worker) => worker.kill()),
  };
}

/** The listeners are closed before the first connection is: its caller would come back to one that is closed next. */
async function stopAll(slots: readonly WorkerSlot[], processes: ReadonlySet<WorkerProcess>): Promise<void> {
  for (const slot of slots) slot.leave();
  const serving = new Set(servingOf(slots));
  const all = [...processes];
  // One that does not serve has taken no call yet, or drains already.
  for (const worker of all) worker.stop({ skipsDelay: !serving.has(worker) });
  await Promise.all(all.map(({ released }) => released));
  for (const worker of all) worker.drain();
  await Promise.all(all.map(({ ended }) => ended));
}

function servingOf(slots: readonly WorkerSlot[]): readonly WorkerProcess[] {
  return slots.flatMap((slot) => slot.serving() ?? []);
}

async function summarize(question: keyof Summaries, slots: readonly WorkerSlot[]): Promise<Summaries[keyof Summaries]> {
  return question === "metrics"
    ? combineMetrics(await askAll("metrics", slots))
    : combineReadiness(await askAll("readiness", slots));
}

function askAll<Name extends Question>(
  question: Name,
  slots: readonly WorkerSlot[],
): Promise<readonly Reported<Reports[Name]>[]> {
  return Promise.all(
    slots.map(async (slot) => {
      const serving = slot.serving();
      const report = await serving?.ask(question);
      return { worker: slot.number, isServing: serving !== undefined, restarts: slot.restarts(), report };
    }),
  );
}

/** Workers connect to an embedded PostgreSQL as to any other: it belongs to this process. */
async function openOwnDatabase(
  { config, log, onProgress, startDatabase }: WorkersDeps,
  onFailure: (error: Error) => void,
): Promise<Database | undefined> {
  if (config.databaseUrl !== undefined) return undefined;
  if (!config.masterKeys) throw new Error("TITIAN_MASTER_KEY is required outside the sandbox.");
  const secrets = createSecrets(config.masterKeys);
  const deps = { config, log, onProgress, startDatabase, secrets, clock: createClock(), onFailure };
  return openDatabase({ ...deps, environment: "production" });
}

/** A worker that is started again listens where the one before did. */
async function choosePorts({ port, host, management }: Config): Promise<Readonly<Record<string, string>>> {
  const chosen = await Promise.all([
    port === 0 ? findFreePort(host) : port,
    management?.port === 0 ? findFreePort(management.host) : management?.port,
  ]);
  return { PORT: String(chosen[0]), ...(chosen[1] !== undefined && { TITIAN_MANAGEMENT_PORT: String(chosen[1]) }) };
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen({ port: 0, host, exclusive: true });
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
