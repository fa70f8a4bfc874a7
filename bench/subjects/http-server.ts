/** Other servers than ours, called by the same signed requests: the usual service, plain and guarded, and what stands in front of the ledger. */
import type { Cluster } from "../database/cluster.ts";
import { forkScript } from "../fork-script.ts";
import type { BenchPartner } from "../load/partner.ts";
import { createSqlLedger } from "../sql-ledger/create-sql-ledger.ts";
import { type Subject, transferLoads } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { runWindow } from "./run-window.ts";

export interface HttpServerOptions<Name> {
  readonly name: Name;
  readonly cluster: Cluster;
  readonly accounts: number;
}

/** Each with its ledger and the size of its pool. */
const usualServices = {
  usual8: ["usual", 8],
  usual20: ["usual", 20],
  guarded8: ["guarded", 8],
  guarded20: ["guarded", 20],
} as const;
const usual = new URL("../usual/serve-usual.ts", import.meta.url);

export async function createUsualService(options: HttpServerOptions<keyof typeof usualServices>): Promise<Subject> {
  const { name, cluster, accounts } = options;
  const [schema, connections] = usualServices[name];
  const { url, check, drop } = await createSqlLedger({ cluster, name, accounts, schema });
  const server = await startServer(options, usual, [url, String(connections), schema]);
  let answered = 0;
  return {
    name,
    loads: transferLoads,
    run: async (window) => {
      const measured = await server.run(window);
      answered += measured.done;
      return measured;
    },
    check: () => check(answered),
    close: async () => {
      await server.close();
      await drop();
    },
  };
}

const layers = {
  floor: new URL("../layers/serve-floor.ts", import.meta.url),
  edge: new URL("../layers/serve-edge.ts", import.meta.url),
} as const;

export async function createHttpLayer(options: HttpServerOptions<keyof typeof layers>): Promise<Subject> {
  const { run, close } = await startServer(options, layers[options.name]);
  return { name: options.name, loads: ["uniform"], run, check: () => Promise.resolve(), close };
}

/** A server that sends its `BenchPartner` once it listens, and its load generator. */
async function startServer(
  { cluster, accounts }: HttpServerOptions<string>,
  script: URL,
  args: readonly string[] = [],
): Promise<Pick<Subject, "run" | "close">> {
  const server = await forkScript<BenchPartner>(script, { args });
  const settings = { caller: server.ready, accountNumbers: accountNumbers(accounts), url: cluster.url };
  const worker = await startWorker<LoadSettings>(loadScript, settings);
  return {
    run: (window) => runWindow(worker, { cluster, services: [server.pid] }, window),
    close: async () => {
      await worker.close();
      await server.close();
    },
  };
}
