/** Starts the partners' system. */
import { fork } from "node:child_process";
import { once } from "node:events";

export interface BenchEndpoint {
  readonly pid: number;
  readonly origin: string;
  close(): Promise<void>;
}

export async function startEndpoint(): Promise<BenchEndpoint> {
  const child = fork(new URL("./endpoint.ts", import.meta.url), { execArgv: ["--conditions=source"] });
  const [port] = (await once(child, "message")) as [number];
  const ended = once(child, "exit");
  if (child.pid === undefined) throw new Error("The endpoint of the partners could not be started.");
  return {
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
