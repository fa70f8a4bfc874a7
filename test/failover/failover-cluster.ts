/** Two nodes of a service on a primary with a synchronous standby, each with a wire of its own to the database. */
import { type Agent } from "undici";
import { type Caller, createCaller } from "../support/black-box/caller.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { addPartner, productionSettings } from "../support/black-box/production-partner.ts";
import { type Service, startService } from "../support/black-box/service.ts";
import { createAgent } from "../support/black-box/start-sandbox.ts";
import { type Address, startAddress } from "../support/database/address.ts";
import { type ReplicatedServers, startReplicatedServers } from "../support/database/replicated-servers.ts";
import { migrateForServices } from "../support/database/template.ts";

export interface Node {
  readonly address: Address;
  readonly service: Service;
  readonly managementUrl: string;
  /** Kills the process and starts another. */
  kill(): void;
  restart(): Promise<void>;
}

export interface FailoverCluster extends AsyncDisposable {
  readonly servers: ReplicatedServers;
  readonly nodes: readonly [Node, Node];
  readonly caller: Caller;
  readonly agent: Agent;
}

export async function startFailoverCluster(env: Readonly<Record<string, string>> = {}): Promise<FailoverCluster> {
  await using stack = new AsyncDisposableStack();
  const servers = stack.use(await startReplicatedServers());
  const { url } = await migrateForServices(servers.primary.url);
  const partner = await addPartner(url);
  const settings = productionSettings(url);
  const openNode = async (): Promise<Node> => {
    const address = stack.use(await startAddress(servers.primary.port));
    const dataDir = createDataDir();
    stack.defer(() => removeDataDir(dataDir));
    const start = () =>
      startService({
        dataDir,
        env: { ...settings, DATABASE_URL: address.urlOf(url), TITIAN_SHUTDOWN_DELAY_SECONDS: "0", ...env },
      });
    let service = await start();
    stack.defer(async () => void (await service.end("SIGKILL")));
    return {
      address,
      get service() {
        return service;
      },
      get managementUrl() {
        return /^ +Health +(http:\/\/[^/\s]+)/m.exec(service.output())?.[1] ?? "";
      },
      kill: () => service.signal("SIGKILL"),
      restart: async () => {
        await service.exited;
        service = await start();
      },
    };
  };
  const nodes = await Promise.all([openNode(), openNode()] as const);
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const [first] = nodes;
  const { baseUrl } = first.service;
  const served = { baseUrl, managementUrl: first.managementUrl, pathPrefix: "", version: "v1.0", partners: [partner] };
  const caller = createCaller(served, partner.partnerId, agent);
  // Its token, and the description of the responses, while the database answers.
  await caller.call("transfer/status", { originalPartnerReferenceNo: "none", serviceCode: "17" });
  const owned = stack.move();
  return { servers, nodes, caller, agent, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
