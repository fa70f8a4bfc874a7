/** The service as in production, with one partner and its accounts: `titian serve` on a database of the test's own. */
import type { Agent } from "undici";
import { useDatabase } from "../database/database.ts";
import { type Caller, createCaller, type Served } from "./caller.ts";
import { createDataDir, removeDataDir } from "./data-dir.ts";
import { endProcesses } from "./processes.ts";
import { addPartner, productionSettings } from "./production-partner.ts";
import { type Service, startService } from "./service.ts";
import { createAgent } from "./start-sandbox.ts";

export interface Production extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly service: Service;
  readonly served: Served;
  /** Caller for its only partner, which may debit all its accounts. */
  readonly caller: Caller;
  readonly agent: Agent;
  close(): Promise<void>;
}

const graceMs = 15_000;

/**
 * `env`: settings beside those that production needs.
 * `given`: a migrated database to use instead of one of the tests' cluster.
 * `terms`: of the partner, where they differ.
 */
export async function startProduction(
  env: Readonly<Record<string, string>>,
  given?: string,
  terms: Parameters<typeof addPartner>[1] = {},
): Promise<Production> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = given ?? stack.use(await useDatabase()).url;
  const dataDir = createDataDir();
  stack.defer(async () => {
    await endProcesses(dataDir, graceMs);
    removeDataDir(dataDir);
  });
  const partner = await addPartner(databaseUrl, terms);
  const service = stack.use(
    await startService({
      dataDir,
      env: { ...productionSettings(databaseUrl), ...env },
    }),
  );
  const managementUrl = /^ +Health +(http:\/\/[^/\s]+)/m.exec(service.output())?.[1] ?? "";
  const served: Served = {
    baseUrl: service.baseUrl,
    managementUrl,
    pathPrefix: "",
    version: "v1.0",
    partners: [partner],
  };
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const owned = stack.move();
  const close = () => owned.disposeAsync();
  return {
    databaseUrl,
    dataDir,
    service,
    served,
    caller: createCaller(served, partner.partnerId, agent),
    agent,
    close,
    [Symbol.asyncDispose]: close,
  };
}
