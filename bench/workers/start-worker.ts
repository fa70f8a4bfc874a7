/** The runner's side of a worker: a process of its own, so that neither its memory nor its CPU mixes with another's. */
import { forkScript } from "../fork-script.ts";
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
  const { pid, ask, close } = await forkScript(script);
  const tell = async (message: ToWorker<Settings>): Promise<FromWorker> => {
    const said = await ask<FromWorker>(message);
    if (said.kind === "failed") throw new Error(said.message);
    return said;
  };
  await tell({ kind: "start", settings });
  return {
    pid,
    prepare: async (window) => void (await tell({ kind: "prepare", window })),
    run: async () => {
      const said = await tell({ kind: "run" });
      if (said.kind !== "seen") throw new Error(`The bench process ${script.pathname} ran no window.`);
      return said.seen;
    },
    close,
  };
}
