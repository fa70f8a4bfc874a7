/** Starts one of the servers of this folder as a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { BenchPartner } from "../load/partner.ts";

export interface Layer {
  readonly pid: number;
  readonly caller: BenchPartner;
  close(): Promise<void>;
}

/** Each sends its `BenchPartner` once it listens, and ends with this process. */
const scripts = {
  floor: new URL("./serve-floor.ts", import.meta.url),
  edge: new URL("./serve-edge.ts", import.meta.url),
} as const;
export type LayerName = keyof typeof scripts;

/** @throws when it ends before it listens; it says why on standard error. */
export async function startLayer(name: LayerName): Promise<Layer> {
  const child = fork(scripts[name], {
    execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const started = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  if (started === undefined || child.pid === undefined) throw new Error(`The ${name} server could not be started.`);
  // Both sides are this program.
  const [caller] = started as [BenchPartner];
  return {
    pid: child.pid,
    caller,
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
