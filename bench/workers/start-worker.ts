/** The runner's side of a worker: a process of its own, so that neither its memory nor its CPU mixes with another's. */
import { fork } from "node:child_process";
import type { Seen, Window } from "../subject.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

export interface Worker {
  readonly pid: number;
  prepare(window: Window): Promise<void>;
  run(): Promise<Seen>;
  close(): Promise<void>;
}

/** Starts `script` (a module that calls `serveWindows`) and waits until it is ready. */
export async function startWorker<Settings>(script: URL, settings: Settings): Promise<Worker> {
  const child = fork(script, {
    execArgv: ["--conditions=source", "--expose-gc", "--disable-warning=ExperimentalWarning"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw new Error(`The bench process ${script.pathname} could not be started.`);

  function ask(message: ToWorker<Settings>): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`The bench process ${script.pathname} ended before it answered.`));
      child.once("exit", onExit);
      child.once("message", (answer) => {
        child.off("exit", onExit);
        // Both sides are this program.
        const said = answer as FromWorker;
        if (said.kind === "failed") reject(new Error(said.message));
        else resolve(said);
      });
      child.send(message);
    });
  }

  await ask({ kind: "start", settings });
  return {
    pid,
    prepare: async (window) => void (await ask({ kind: "prepare", window })),
    run: async () => {
      const answer = await ask({ kind: "run" });
      if (answer.kind !== "seen") throw new Error(`The bench process ${script.pathname} ran no window.`);
      return answer.seen;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
