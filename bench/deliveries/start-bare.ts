/** The bare loop as a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { DeliveryMode } from "./delivery-cells.ts";

export interface BareSettings {
  readonly origin: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly secret: string;
  readonly body: string;
}

export interface BareTask {
  readonly mode: DeliveryMode;
  readonly count: number;
}

export interface BareLoop {
  readonly pid: number;
  /** Milliseconds to send so many. */
  send(task: BareTask): Promise<number>;
  close(): Promise<void>;
}

export async function startBareLoop(settings: BareSettings): Promise<BareLoop> {
  const child = fork(new URL("./bare-worker.ts", import.meta.url), { execArgv: ["--conditions=source"] });
  await once(child, "spawn");
  if (child.pid === undefined) throw new Error("The bare loop could not be started.");
  child.send(settings);
  const ended = once(child, "exit");
  return {
    pid: child.pid,
    send: async (task) => {
      const answer = Promise.race([once(child, "message"), ended.then(() => [Number.NaN])]);
      child.send(task);
      const [elapsedMs] = (await answer) as [number];
      if (Number.isNaN(elapsedMs)) throw new Error("The bare loop ended before it had sent everything.");
      return elapsedMs;
    },
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
