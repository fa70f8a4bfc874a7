/** Signed transfers and captures over HTTP against the real service as in production, each answered after its durable commit. */
import type { Cluster } from "../database/cluster.ts";
import { type LoadedOptions, startLoaded } from "../load/start-loaded.ts";
import { type Load, loadNames, railLoads, type Subject, transferLoads } from "../subject.ts";

export interface EndToEndOptions {
  /**
   * `e2e2`: two nodes on one database, each with half of the callers. `twoWorkers`: one node of two processes. `before` and
   * `before2`: the same as `e2e` and `e2e2`, of another source tree.
   */
  readonly name: keyof typeof shapes;
  readonly cluster: Cluster;
  readonly accounts: number;
  /** Path of the other source tree. */
  readonly before: string | undefined;
  readonly onProgress: (text: string) => void;
}

interface Shape {
  readonly nodes: NonNullable<LoadedOptions["nodes"]>;
  readonly loads: readonly Load[];
  readonly isBefore?: true;
}

const shapes = {
  e2e: { nodes: { count: 1 }, loads: loadNames },
  e2e2: { nodes: { count: 2 }, loads: [...transferLoads, ...railLoads] },
  before: { nodes: { count: 1 }, loads: loadNames, isBefore: true },
  before2: { nodes: { count: 2 }, loads: [...transferLoads, ...railLoads], isBefore: true },
  twoWorkers: { nodes: { workers: 2 }, loads: transferLoads },
} as const satisfies Record<string, Shape>;

export async function createEndToEnd({ name, before, ...options }: EndToEndOptions): Promise<Subject> {
  const { nodes, loads, isBefore }: Shape = shapes[name];
  const tree = isBefore ? before : undefined;
  const loaded = await startLoaded({ ...options, database: `bench_${name.toLowerCase()}`, nodes, tree });
  return {
    name,
    loads,
    run: (window) => loaded.run(window),
    check: () => loaded.check(),
    close: async () => loaded[Symbol.asyncDispose](),
  };
}
