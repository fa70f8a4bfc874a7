/** The rails of this service and their dispatch. One that the program does not connect is down. */
import type { DueJob } from "../../jobs/job.ts";
import { isRailClosed } from "../../ledger/reference/switches.ts";
import { type RailName, railNames } from "../../ledger/rails/terms.ts";
import { createDispatcher, type Dispatcher } from "../../rails/dispatcher.ts";
import { createUnconnectedRail, type Rail } from "../../rails/rail.ts";
import type { Core } from "../core.ts";
import { createDispatchEvents, observeInFlight } from "../observe/observe-dispatch.ts";

/** Rails of an embedding program, which closes them itself, after the service. */
export type OwnRails = Readonly<Partial<Record<RailName, Rail>>>;

/** Rails of an extension; disposed of after the jobs on them. */
export interface ConnectedRails extends AsyncDisposable {
  readonly rails: OwnRails;
}

export interface Rails extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** Reconcile the transfers of this node's rails: of one that is not connected here, other nodes do. */
  readonly jobs: readonly DueJob[];
  /** Instead of them, and of all other jobs, while the node answers inquiries alone. */
  readonly comparing: readonly DueJob[];
}

/** Connecting, answering and all: what a rail may take for one call. */
const railTimeoutMs = 10_000;
const callsMax = 1_024;
const firstAskMs = 10_000;

/** `connected`: the rail of a name, if the program or an extension connects it. */
export function startRails(core: Core, connected: (name: RailName) => Rail | undefined): Rails {
  const { config, engine, actEngine, clock, pool, adminPool, metrics, reads, readShares } = core;
  const railOf = (name: RailName): Rail => connected(name) ?? createUnconnectedRail(name);
  const dispatcher = createDispatcher({
    rails: { interbank: railOf("interbank"), rtgs: railOf("rtgs"), skn: railOf("skn") },
    engine,
    actEngine,
    clock,
    reads: pool,
    findConfirmed: (id) => readShares.run("rails", () => reads.findTransfer(id)),
    database: adminPool,
    isClosed: (rail) => isRailClosed(core.reference.current().closed, rail),
    events: {
      ...createDispatchEvents(core),
      unconfirmed: (items) => core.onUnconfirmedClaim("send-bulk-items", items),
    },
    railTimeoutMs,
    interbankWaitMs: config.interbankWaitMs,
    callsMax,
    inquiryIntervals: { min: firstAskMs, max: config.railInquiryMaxIntervalMs },
  });
  observeInFlight(metrics, dispatcher.sender);
  const { collect, compare, reconcile, sendBulkItems } = dispatcher;
  const isConnected = ({ rail }: { readonly rail: RailName }) => connected(rail) !== undefined;
  return {
    dispatcher,
    jobs: [...collect, ...reconcile, sendBulkItems].filter(isConnected),
    comparing: compare.filter(isConnected),
    [Symbol.asyncDispose]: () => dispatcher.close(),
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
