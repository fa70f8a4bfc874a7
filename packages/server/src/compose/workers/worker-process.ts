/** One worker as its supervisor sees it: a process, its messages, and how it ended. */
import cluster from "node:cluster";
import type { Addresses, FromWorker, Question, Reports, Summaries, ToWorker } from "./messages.ts";

export interface WorkerProcess {
  readonly pid: number;
  /** It listens. Rejects when it ends before. */
  readonly ready: Promise<Addresses>;
  /** Its listener is closed, or it has ended. */
  readonly released: Promise<unknown>;
  /** The signal or exit code it ended with. */
  readonly ended: Promise<string>;
  /** Undefined when it does not answer in time. */
  ask<Name extends Question>(question: Name): Promise<Reports[Name] | undefined>;
  closeBusyConnections(count: number): void;
  stop(options: { readonly skipsDelay: boolean }): void;
  drain(): void;
  kill(): void;
}

export interface WorkerOptions {
  /** Variables of its environment beside ours. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers what a worker asks about all of them. */
  readonly summarize: (question: keyof Summaries) => Promise<Summaries[keyof Summaries]>;
}

/** Above the time of a busy event loop; a worker that takes longer is stuck. */
const reportMaxMs = 5_000;

export function startWorker({ env, summarize }: WorkerOptions): WorkerProcess {
  const worker = cluster.fork(env);
  const ready = Promise.withResolvers<Addresses>();
  const released = Promise.withResolvers<void>();
  const asked = new Map<number, (report: Reports[Question] | undefined) => void>();
  let lastId = 0;
  const send = (message: ToWorker) => {
    // It may have ended at this moment: nobody is left to hear it.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const ended = new Promise<string>((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    // A process that could not be started has no exit. Of one that runs, an error is a message that did not reach it.
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
  void ended.then((end) => {
    ready.reject(new Error(`The worker ended before it was ready (${end}).`));
    released.resolve();
    for (const answer of asked.values()) answer(undefined);
  });
  ready.promise.catch(() => undefined);

  worker.on("message", (given) => {
    // Both sides are this program.
    const message = given as FromWorker;
    switch (message.kind) {
      case "ready":
        ready.resolve(message.addresses);
        return;
      case "released":
        released.resolve();
        return;
      case "report":
        asked.get(message.id)?.(message.report);
        return;
      case "askAll":
        void summarize(message.question).then((summary) => send({ kind: "summary", id: message.id, summary }));
    }
  });

  return {
    pid: worker.process.pid ?? 0,
    ready: ready.promise,
    released: released.promise,
    ended,
    async ask<Name extends Question>(question: Name) {
      if (worker.isDead() || !worker.isConnected()) return undefined;
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<Reports[Question] | undefined>();
      asked.set(id, resolve);
      const late = setTimeout(resolve, reportMaxMs, undefined);
      send({ kind: "ask", id, question });
      const report = await promise;
      clearTimeout(late);
      asked.delete(id);
      // A worker answers each question with what was asked for.
      return report as Reports[Name] | undefined;
    },
    closeBusyConnections: (count) => send({ kind: "closeBusyConnections", count }),
    stop: ({ skipsDelay }) => send({ kind: "stop", skipsDelay }),
    drain: () => send({ kind: "drain" }),
    kill: () => worker.process.kill("SIGKILL"),
  };
}
