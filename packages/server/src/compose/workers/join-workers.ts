/** A worker's side: it answers the supervisor's questions about itself, and asks about all workers. */
import cluster from "node:cluster";
import type { Readiness } from "../../edge/pages/health.ts";
import type { Addresses, FromWorker, Question, Reports, Summaries, ToWorker } from "./messages.ts";

/** Reports of a worker about itself. */
export interface OwnWorker {
  readonly reports: { readonly [Name in Question]: () => Reports[Name] | Promise<Reports[Name]> };
  closeBusyConnections(count: number): void;
}

/** The workers of this node, as one of them sees them. */
export interface WorkerGroup {
  /** Resolves when this worker is to stop. */
  readonly stopRequested: Promise<{ readonly skipsDelay: boolean }>;
  /** From now on the supervisor is answered. */
  join(own: OwnWorker): void;
  /** The worker listens there. */
  ready(addresses: Addresses): void;
  /** Metrics of all workers. */
  metrics(): Promise<string>;
  readiness(): Promise<Readiness>;
  /** This worker's listener is closed; resolves when those of all that stop are, or after a time. */
  released(): Promise<void>;
}

/** All workers are told within this of each other, unless one hangs. */
const releaseMaxMs = 3_000;

/** True when this process was started by a supervisor. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

export function joinWorkers(): WorkerGroup {
  const stopRequested = Promise.withResolvers<{ readonly skipsDelay: boolean }>();
  const drained = Promise.withResolvers<void>();
  const asked = new Map<number, (summary: Summaries[keyof Summaries]) => void>();
  let own: OwnWorker | undefined;
  let lastId = 0;
  const send = (message: FromWorker) => void process.send?.(message);

  async function report(id: number, question: Question): Promise<void> {
    try {
      send({ kind: "report", id, ...(own && { report: await own.reports[question]() }) });
    } catch {
      send({ kind: "report", id });
    }
  }

  function receive(message: ToWorker): void {
    switch (message.kind) {
      case "ask":
        void report(message.id, message.question);
        return;
      case "summary":
        asked.get(message.id)?.(message.summary);
        asked.delete(message.id);
        return;
      case "closeBusyConnections":
        own?.closeBusyConnections(message.count);
        return;
      case "stop":
        stopRequested.resolve(message);
        return;
      case "drain":
        drained.resolve();
    }
  }

  function askAll<Name extends keyof Summaries>(question: Name): Promise<Summaries[Name]> {
    lastId += 1;
    const id = lastId;
    send({ kind: "askAll", id, question });
    // The supervisor answers each question with what was asked for.
    return new Promise((resolve) => asked.set(id, (summary) => resolve(summary as Summaries[Name])));
  }

  // Both sides are this program.
  process.on("message", (message) => receive(message as ToWorker));
  return {
    stopRequested: stopRequested.promise,
    join: (given) => {
      own = given;
    },
    ready: (addresses) => send({ kind: "ready", addresses }),
    metrics: () => askAll("metrics"),
    readiness: () => askAll("readiness"),
    released: () => {
      send({ kind: "released" });
      setTimeout(drained.resolve, releaseMaxMs).unref();
      return drained.promise;
    },
  };
}
