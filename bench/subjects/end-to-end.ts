/** Signed transfers and captures over HTTP against the real service as in production, each answered after its durable commit. */
import type { Cluster } from "../database/cluster.ts";
import { type LoadedOptions, startLoaded } from "../load/start-loaded.ts";
import { type Load, loadNames, railLoads, type Subject, transferLoads } from "../subject.ts";

export interface EndToEndOptions {
  /** `e2e2`: two nodes on one database, each with half of the callers. `twoWorkers`: one node of two processes. */
  readonly name: keyof typeof shapes;
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

const shapes = {
  e2e: { nodes: { count: 1 }, loads: loadNames },
  e2e2: { nodes: { count: 2 }, loads: [...transferLoads, ...railLoads] },
  twoWorkers: { nodes: { workers: 2 }, loads: transferLoads },
} as const satisfies Record<string, { nodes: LoadedOptions["nodes"]; loads: readonly Load[] }>;

export async function createEndToEnd({ name, ...options }: EndToEndOptions): Promise<Subject> {
  const { nodes, loads } = shapes[name];
  const loaded = await startLoaded({ ...options, database: `bench_${name.toLowerCase()}`, nodes });
  return {
    name,
    loads,
    run: (window) => loaded.run(window),
    check: () => loaded.check(),
    close: async () => loaded[Symbol.asyncDispose](),
  };
}
