/** A whole sandbox, for a test file, the demo, or the packages' check: data directory, running node, partners, control. */
import { Agent } from "undici";
import { type Caller, createCaller } from "./caller.ts";
import { type Control, createControl } from "./control.ts";
import { createDataDir, removeDataDir } from "./data-dir.ts";
import { endProcesses } from "./processes.ts";
import { type TestDatabase, useDatabase } from "../database/database.ts";
import { useSeeded } from "./seeded-sandbox.ts";
import { readSandboxFile, type SandboxFile } from "./sandbox-file.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";
import { addSplit, isSplit, splitSettings } from "./split-sandbox.ts";

export interface Sandbox extends AsyncDisposable {
  readonly dataDir: string;
  readonly service: Service;
  readonly file: SandboxFile;
  /** Address of its database, as the owner; undefined where the service started a PostgreSQL of its own. */
  readonly ownerUrl: string | undefined;
  /** Settings that name its further cells, for commands. */
  readonly cells: Readonly<Record<string, string>>;
  readonly control: Control;
  readonly agent: Agent;
  /** A partner's system; each call of this makes one that has no token yet. */
  caller(partnerId: string): Caller;
  /** One more node, or the next one, on its data directory and its database. */
  startNode(env?: Readonly<Record<string, string>>, options?: Pick<ServiceOptions, "script">): Promise<Service>;
}

export interface SandboxOptions extends Pick<ServiceOptions, "script" | "node" | "onProgress"> {
  /**
   * `embedded`: the service starts a PostgreSQL of its own. Otherwise it has a database of the cluster all tests share, and with
   * `split` a second one, as cell 1.
   */
  readonly database?: "embedded" | "split";
}

const graceMs = 15_000;

/** Starts one; disposing ends it by its process id and removes all it left. */
export async function startSandbox(
  env: Readonly<Record<string, string>> = {},
  { database, ...options }: SandboxOptions = {},
): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack();
  const dataDir = createDataDir();
  stack.defer(async () => {
    await endProcesses(dataDir, graceMs);
    removeDataDir(dataDir);
  });
  const hasCell = isSplit || database === "split";
  // The seeded sandbox has as many databases as those of the run.
  const templates = hasCell === isSplit && database !== "embedded" ? useSeeded(dataDir) : undefined;
  const shared = database === "embedded" ? undefined : stack.use(await useDatabase(templates?.home));
  const cells = shared && hasCell ? await splitFrom(shared, dataDir, templates?.cell, stack) : {};
  const settings = { ...environmentOf(shared), ...cells, ...env };
  const service = stack.use(await startService({ dataDir, env: settings, ...options }));
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const file = readSandboxFile(dataDir);
  const owned = stack.move();
  return {
    dataDir,
    service,
    file,
    ownerUrl: shared?.ownerUrl,
    cells,
    agent,
    control: createControl(file, agent),
    caller: (partnerId) => createCaller(file, partnerId, agent),
    startNode: (more = {}, others = {}) =>
      startService({ dataDir, env: { ...environmentOf({ url: file.databaseUrl }), ...cells, ...more }, ...others }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function splitFrom(
  home: TestDatabase,
  dataDir: string,
  template: string | undefined,
  stack: AsyncDisposableStack,
): Promise<Readonly<Record<string, string>>> {
  const cell = stack.use(await useDatabase(template));
  if (template === undefined) await addSplit(home, cell);
  return splitSettings(dataDir, cell);
}

/** A second node is not told what administration connects to: it reads that in the data directory. */
function environmentOf(
  database: { readonly url: string; readonly administrationUrl?: string } | undefined,
): Readonly<Record<string, string>> {
  if (database === undefined) return {};
  const { url, administrationUrl } = database;
  return {
    DATABASE_URL: url,
    TITIAN_SANDBOX: "1",
    ...(administrationUrl !== undefined && { TITIAN_ADMIN_DATABASE_URL: administrationUrl }),
  };
}

/** Opens as many connections as there are calls under way; each is used again. */
export function createAgent(): Agent {
  return new Agent({ connections: 1_024, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });
}
