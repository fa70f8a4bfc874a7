/** A whole sandbox for a test file: data directory, running node, partners that call it, control over it. */
import { Agent } from "undici";
import { type Caller, createCaller } from "./caller.ts";
import { type Control, createControl } from "./control.ts";
import { createDataDir, removeDataDir } from "./data-dir.ts";
import { endProcesses } from "./processes.ts";
import { readSandboxFile, type SandboxFile } from "./sandbox-file.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

export interface Sandbox extends AsyncDisposable {
  readonly dataDir: string;
  readonly service: Service;
  readonly file: SandboxFile;
  readonly control: Control;
  readonly agent: Agent;
  /** A partner's system; each call of this makes one that has no token yet. */
  caller(partnerId: string): Caller;
}

const graceMs = 15_000;

/** Starts one; disposing ends it by its process id and removes all it left. */
export async function startSandbox(
  env: Readonly<Record<string, string>> = {},
  options: Pick<ServiceOptions, "script"> = {},
): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack();
  const dataDir = createDataDir();
  stack.defer(async () => {
    await endProcesses(dataDir, graceMs);
    removeDataDir(dataDir);
  });
  const service = stack.use(await startService({ dataDir, env, ...options }));
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const file = readSandboxFile(dataDir);
  const owned = stack.move();
  return {
    dataDir,
    service,
    file,
    agent,
    control: createControl(file, agent),
    caller: (partnerId) => createCaller(file, partnerId, agent),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Opens as many connections as there are calls under way; each is used again. */
export function createAgent(): Agent {
  return new Agent({ connections: 1_024, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });
}
