/** Transfers between two cells beside transfers within one, over one node and over two: engines and shippers in this process, two databases of one cluster. */
import { acrossCommand, asOwner, ship, startEngine, type TransitPayload } from "../../test/transit/transit-fixture.ts";
import { accounts, seedAccounts } from "../../test/engine/seed-accounts.ts";
import { transferCommand } from "../../test/engine/transfers.ts";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import { clusterCpuUs } from "../cpu.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import type { MeasurePart, PartOptions } from "../parts.ts";
import type { Column } from "../report/figures-table.ts";
import { acrossTable } from "./across-table.ts";

const names = ["bench_cell_a", "bench_cell_b"] as const;
const balance = 1_000_000_000_000n;
const nodeCounts = [1, 2];
/** A caller waits for the mirror for so long. */
const mirrorMs = 5_000;

interface Measured {
  readonly done: number;
  readonly seconds: number;
  readonly postgresUs: number | undefined;
  readonly nodeUs: number;
}

interface Result {
  /** So many take the calls in turn, and all ship. */
  readonly nodes: number;
  readonly callers: number;
  /** One a round. */
  readonly within: Measured[];
  readonly across: Measured[];
}

interface BenchNode {
  readonly engine: Engine;
  readonly shipper: ReturnType<typeof ship>["shipper"];
}

interface Subject {
  readonly nodes: readonly BenchNode[];
  readonly accounts: number;
}

export const measureCells: MeasurePart = async (options, publish) => {
  const { cluster, rounds, seconds, onProgress } = options;
  onProgress("preparing cells");
  await using stack = new AsyncDisposableStack();
  const [a, b] = await Promise.all(
    names.map(async (name) => {
      const url = await createLedgerDatabase(cluster.url, name);
      await asOwner(url, (client) => seedAccounts(client, accounts(options.accounts, balance)));
      await vacuum(url);
      return url;
    }),
  );
  if (a === undefined || b === undefined) throw new Error("the databases of the cells are missing");
  stack.defer(async () => {
    for (const name of names) await dropDatabase(cluster.url, name);
  });
  const results: Result[] = nodeCounts.flatMap((nodes) =>
    options.callers.map((callers) => ({ nodes, callers, within: [], across: [] })),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const count of nodeCounts) {
      await using started = await startNodes(a, b, count);
      const subject = { nodes: started.nodes, accounts: options.accounts };
      for (const isAcross of [false, true])
        await run(options, subject, { isAcross, callers: 64, ms: options.warmUpSeconds * 1_000 });
      for (const { callers, within, across } of results.filter(({ nodes }) => nodes === count)) {
        const window = { callers, ms: seconds * 1_000 };
        within.push(await run(options, subject, { ...window, isAcross: false }));
        across.push(await run(options, subject, { ...window, isAcross: true }));
        onProgress(`round ${round + 1}, ${count} nodes, ${callers} callers: ${across.at(-1)?.done} transfers across`);
      }
    }
  }
  publish({ report: table(results), figures: { cells: results } });
};

/** Each with an engine in both cells, and a shipper from the first to the second. */
async function startNodes(a: string, b: string, count: number) {
  await using stack = new AsyncDisposableStack();
  const nodes: BenchNode[] = [];
  for (let started = 0; started < count; started += 1) {
    const [engine, other] = [await startEngine(a), await startEngine(b)];
    stack.defer(() => other.close());
    stack.defer(() => engine.close());
    const { shipper } = stack.use(ship(a, { url: b, engine: other }));
    nodes.push({ engine, shipper });
  }
  const owned = stack.move();
  return { nodes, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function run(
  { cluster }: PartOptions,
  { nodes, accounts: count }: Subject,
  { isAcross, callers, ms }: { readonly isAcross: boolean; readonly callers: number; readonly ms: number },
): Promise<Measured> {
  const random = () => String(1 + Math.floor(Math.random() * count));
  const postgresCpu = () => (cluster.postmaster === undefined ? undefined : clusterCpuUs(cluster.postmaster));
  const begin = { at: performance.now(), node: process.cpuUsage(), postgres: postgresCpu() };
  const until = begin.at + ms;
  let done = 0;
  const call = async (_: unknown, caller: number) => {
    const node = nodes[caller % nodes.length] as BenchNode;
    while (performance.now() < until) {
      const [from, to] = [random(), random()];
      // The same number is one account within a cell, and two across.
      if (from === to) continue;
      const parties = { from, to, amount: 1n, externalId: `bench-${begin.at}-${done}-${Math.random()}` };
      if (isAcross) await payAcross(node, parties);
      else mustBeEffect((await node.engine.submit(transferCommand({ ...parties, body: "x" }))).kind);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }).map(call));
  const { user, system } = process.cpuUsage(begin.node);
  const postgres = postgresCpu();
  return {
    done,
    seconds: (performance.now() - begin.at) / 1_000,
    nodeUs: user + system,
    postgresUs: postgres === undefined || begin.postgres === undefined ? undefined : postgres - begin.postgres,
  };
}

async function payAcross({ engine, shipper }: BenchNode, parties: Parameters<typeof acrossCommand>[0]): Promise<void> {
  const outcome = await engine.submit(acrossCommand(parties));
  mustBeEffect(outcome.kind);
  const { transitVersion: version }: TransitPayload =
    outcome.kind === "effect" ? outcome.payload : { cell: 0, request: {}, transitVersion: 0 };
  shipper.poke("IDR");
  if (!(await shipper.waitForMirror({ currency: "IDR", version }, mirrorMs)))
    throw new Error("a payment has not arrived");
}

function mustBeEffect(kind: string): void {
  if (kind !== "effect") throw new Error(`a transfer is ${kind}`);
}

const columns: readonly Column<Measured>[] = [
  { title: "rate", of: ({ done, seconds }) => done / seconds },
  { title: "us of PostgreSQL", of: ({ postgresUs, done }) => postgresUs && postgresUs / done },
  { title: "us of Node", of: ({ nodeUs, done }) => nodeUs / done },
];

function table(results: readonly Result[]): string {
  const rows = results.map(({ nodes, callers, within, across }) => ({
    title: `${nodes === 1 ? "1 node" : `${nodes} nodes`}, ${callers} callers`,
    within,
    across,
  }));
  return [
    "## A transfer between two cells, answered once its payee has the money, beside one within a cell; without edge and HTTP",
    acrossTable(columns, rows),
  ].join("\n\n");
}
