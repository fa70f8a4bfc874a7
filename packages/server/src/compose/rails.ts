/**
 * The rails of this service and their dispatch. Each is the one that the embedding program connects; else a simulated one
 * in the sandbox, and elsewhere one of files, if the operator has connected it.
 */
import { join } from "node:path";
import { isAlive, startOf } from "@titian/embedded-postgres";
import type { DueJob } from "../jobs/job.ts";
import { type RailName, railNames } from "../ledger/rails/terms.ts";
import { createDispatcher, type Dispatcher } from "../rails/dispatcher.ts";
import { createFileRail } from "../rails/file/file-rail.ts";
import { createUnconnectedRail, type Rail } from "../rails/rail.ts";
import {
  createSimulatedRails,
  type SimulatedControl,
  type SimulatedRails,
} from "../rails/simulated/simulated-rails.ts";
import type { Core } from "./core.ts";
import { fileRailLedger } from "./file-rails.ts";
import { createDispatchEvents, observeInBatch } from "./observe-dispatch.ts";

/** Rails of an embedding program, which closes them itself, after the service. */
export type OwnRails = Readonly<Partial<Record<RailName, Rail>>>;

export interface Rails extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** What looks after transfers, but for rails that this node does not have: it would only keep others from looking. */
  readonly jobs: readonly DueJob[];
  /** Undefined for a rail that is not simulated. */
  simulated(rail: RailName): SimulatedControl | undefined;
  /** Reference numbers of instructions that a simulated rail lets us wait for until time or its mode moves on. */
  heldBack(): Promise<ReadonlySet<string>>;
}

/** Connecting, answering and all: what a rail may take for one call. */
const railAnswerMs = 10_000;
const callsMax = 1_024;
const firstAskMs = 10_000;

export async function startRails(core: Core, own: OwnRails = {}): Promise<Rails> {
  await using stack = new AsyncDisposableStack();
  const { config, engine, clock, pool, adminPool, metrics, log } = core;
  const simulated = config.sandbox ? simulate(core) : undefined;
  const directory = config.railDirectory;
  const connect = async (name: RailName): Promise<Rail> =>
    own[name] ??
    simulated?.rails[name] ??
    (directory === undefined ? createUnconnectedRail(name) : openFiles(name, directory));
  const openFiles = async (name: RailName, parent: string): Promise<Rail> => {
    const ledger = fileRailLedger(core, name);
    const processes = { isAlive, startOf };
    const rail = await createFileRail({ name, directory: join(parent, name), processes, log, clock, ledger });
    stack.defer(() => rail.close());
    return rail;
  };
  const [interbank, rtgs, skn] = await Promise.all([connect("interbank"), connect("rtgs"), connect("skn")]);
  const dispatcher = createDispatcher({
    rails: { interbank, rtgs, skn },
    engine,
    clock,
    reads: pool,
    database: adminPool,
    events: createDispatchEvents(core),
    railAnswerMs,
    interbankWaitMs: config.interbankWaitMs,
    callsMax,
    ask: { first: firstAskMs, most: config.railInquiryMaxIntervalMs },
  });
  stack.defer(() => dispatcher.close());
  observeInBatch(metrics, dispatcher.sender);
  const owned = stack.move();
  const isConnected = (name: RailName) => own[name] !== undefined || config.sandbox || directory !== undefined;
  return {
    dispatcher,
    jobs: [...dispatcher.collect, ...dispatcher.reconcile].filter(({ rail }) => isConnected(rail)),
    simulated: (rail) => (own[rail] === undefined ? simulated?.control : undefined),
    heldBack: async () => (await simulated?.control.heldBack()) ?? new Set(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * A rail reports results under its own name: under another's they would match no transfer.
 * @throws when a rail passed in has another name.
 */
export function checkNames(own: OwnRails): void {
  for (const name of railNames) {
    const said = own[name]?.name;
    if (said !== undefined && said !== name) throw new Error(`The rail passed as ${name} is named ${said}.`);
  }
}

function simulate({ adminPool: database, pool: reads, clock, reference }: Core): SimulatedRails {
  return createSimulatedRails({ database, reads, clock, data: () => reference.current().rails });
}
