/** The rails of this service and their dispatch: simulated ones in the sandbox, elsewhere those an operator connects. */
import { join } from "node:path";
import { isAlive, startOf } from "../embedded/process-identity.ts";
import type { Duty } from "../duties/duty.ts";
import { type RailName, railNames } from "../ledger/rail.ts";
import type { Log } from "../log.ts";
import { createDispatcher, type Dispatcher } from "../rails/dispatcher.ts";
import { createFileRail } from "../rails/file/file-rail.ts";
import { createNoRail } from "../rails/no-rail.ts";
import type { Rail } from "../rails/rail.ts";
import { createSimulatedRails, type SimulatedControl } from "../rails/simulated/simulated-rails.ts";
import type { Core } from "./core.ts";
import { createDispatchEvents } from "./observe-dispatch.ts";

export interface Rails extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** What looks after transfers; nothing on a node that has no rail: it would only keep others from looking. */
  readonly duties: readonly Duty[];
  /** In the sandbox only. */
  readonly simulated: SimulatedControl | undefined;
}

/** Connecting, answering and all: what a rail may take for one call. */
const railAnswerMs = 10_000;
const callsMax = 1_024;
const firstAskMs = 10_000;

export async function startRails(core: Core): Promise<Rails> {
  await using stack = new AsyncDisposableStack();
  const { config, engine, clock, pool, adminPool, metrics, log } = core;
  const simulated = config.sandbox
    ? createSimulatedRails({ database: adminPool, reads: pool, clock, data: () => core.reference.current().rails })
    : undefined;
  const rails = simulated?.rails ?? (await connectRails(config.railDirectory, log, stack));
  const dispatcher = createDispatcher({
    rails,
    engine,
    clock,
    reads: pool,
    database: adminPool,
    events: createDispatchEvents(metrics, log),
    reached: () => undefined,
    railAnswerMs,
    callerWaitMs: config.callerWaitMs,
    callsMax,
    ask: { first: firstAskMs, most: config.railAskMs },
  });
  stack.defer(() => dispatcher.close());
  const owned = stack.move();
  const isConnected = simulated !== undefined || config.railDirectory !== undefined;
  return {
    dispatcher,
    duties: isConnected ? [...dispatcher.collect, ...dispatcher.resume] : [],
    simulated: simulated?.control,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A folder for each rail; without one, no rail is connected. */
async function connectRails(directory: string | undefined, log: Log, stack: AsyncDisposableStack) {
  const connect = async (name: RailName): Promise<Rail> => {
    if (directory === undefined) return createNoRail(name);
    const rail = await createFileRail({ name, directory: join(directory, name), processes: { isAlive, startOf }, log });
    stack.defer(() => rail.close());
    return rail;
  };
  const [interbank, rtgs, skn] = await Promise.all(railNames.map(connect));
  if (!interbank || !rtgs || !skn) throw new Error("a rail is missing");
  return { interbank, rtgs, skn };
}
