/** A node that serves 18, 20, 22 and 23 without an edge: operations, engine, dispatch, and the rails it is given. */
import { homeAlone } from "../../../packages/server/src/ledger/reference/directory.ts";
import { type OperationName, operations } from "@titian/contract";
import type { Handler, Reply } from "../../../packages/server/src/interfaces/call.ts";
import type { MovableClock } from "../../../packages/server/src/basics/clock.ts";
import { createEngine, type Engine } from "../../../packages/server/src/engine/engine.ts";
import type { Reference } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import type { RailName, RailTerms } from "../../../packages/server/src/ledger/rails/terms.ts";
import { handleInterbankBulkTransfer } from "../../../packages/server/src/operations/bulks/interbank-bulk-transfer.ts";
import { handleInterbankTransfer } from "../../../packages/server/src/operations/transfers/interbank-transfer.ts";
import type { RailOperation } from "../../../packages/server/src/operations/transfers/rail-transfer.ts";
import {
  handleRtgsTransfer,
  handleSknTransfer,
} from "../../../packages/server/src/operations/transfers/clearing-transfer.ts";
import { type CrashPoint, watchBulks, watchClaims, watchRail, watchRecords, watchSender } from "./crash-points.ts";
import { callOf } from "../../support/administration.ts";
import { testDispatcher } from "../../support/dispatcher.ts";
import { testPartnerShares } from "../../support/partner-shares.ts";
import type { Dispatcher } from "../../../packages/server/src/rails/dispatcher.ts";
import type { Job } from "../../../packages/server/src/jobs/job.ts";
import type { DispatchEvents } from "../../../packages/server/src/rails/dispatch-events.ts";
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import {
  createAdminPool,
  createReadPool,
  type StatementPool,
} from "../../../packages/server/src/store/postgres/connect.ts";
import type { InquiryIntervals } from "../../../packages/server/src/store/tables/due-transfers.ts";
import { createReads } from "../../../packages/server/src/store/reads/reads.ts";
import { type OpenSession, openSession } from "../../../packages/server/src/store/postgres/session.ts";
import { credentialsOf } from "../../support/edge/credentials.ts";
import { mayGoOn } from "../../support/run-job.ts";
import { paymentRequestLimits } from "../../support/payment-request-limits.ts";

export type NodeOperation = RailOperation | "interbankBulkTransfer";

/** A call as its caller knows it. */
export interface NodeCall {
  readonly name: NodeOperation;
  /** Internal id of the partner. */
  readonly partner: string;
  readonly externalId: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Absent: newly signed. */
  readonly signature?: string;
}

export interface DispatchNode extends AsyncDisposable {
  readonly engine: Engine;
  readonly clock: MovableClock;
  readonly reads: StatementPool;
  readonly database: StatementPool;
  readonly dispatcher: Dispatcher;
  call(call: NodeCall): Promise<Reply>;
  /** The jobs once: what is due by this node's clock, and what the rails tell. */
  look(): Promise<void>;
}

export interface DispatchNodeOptions {
  readonly url: string;
  readonly clock: MovableClock;
  readonly rails: Readonly<Record<RailName, Rail>>;
  readonly interbankWaitMs: number;
  readonly railTimeoutMs?: number;
  /** Absent: as a service asks (`compose/rails.ts`). */
  readonly ask?: InquiryIntervals;
  readonly open?: OpenSession;
  readonly reached?: (point: CrashPoint) => void;
  readonly events?: Partial<DispatchEvents>;
}

/** Fee that rails take for each transfer; they are always open. */
export const railFee = 2_500n;

const terms = (name: RailName): RailTerms => ({
  name,
  currency: "IDR",
  min: minor(1n),
  fee: minor(railFee),
  sharedFeeMax: minor(1_000n),
});

export const reference: Reference = {
  version: 1,
  idempotencyWindowMs: 86_400_000,
  holdEventsMax: 1_000,
  paymentRequests: paymentRequestLimits,
  rails: {
    rails: { interbank: terms("interbank"), rtgs: terms("rtgs"), skn: terms("skn") },
    holidays: new Set(),
    banks: new Map([["014", { code: "014", bic: "CENAIDJA", name: "BCA" }]]),
    ownBankCode: "999",
  },
  partners: new Map(),
  closed: new Set(),
  directory: homeAlone,
  merchants: new Map(),
};

/** The jobs of dispatch, each of which sends or records something. */
export function jobsOf({ collect, reconcile, sendBulkItems }: Dispatcher): readonly Job[] {
  return [...collect, ...reconcile, sendBulkItems];
}

export async function startDispatchNode(options: DispatchNodeOptions): Promise<DispatchNode> {
  const { url, clock, rails, interbankWaitMs, railTimeoutMs, reached = () => undefined, events } = options;
  const reads = createReadPool(url, 4);
  const database = createAdminPool(url, 4);
  const engine = await createEngine({
    open: options.open ?? (() => openSession(url, "dispatch")),
    clock,
    reference: () => reference,
  });
  const dispatcher = testDispatcher({
    rails: {
      interbank: watchRail(rails.interbank, reached),
      rtgs: watchRail(rails.rtgs, reached),
      skn: watchRail(rails.skn, reached),
    },
    engine: watchRecords(engine, reached),
    actEngine: engine,
    clock,
    reads,
    database: watchClaims(database, reached),
    ...(events && { events }),
    railTimeoutMs: railTimeoutMs ?? 10_000,
    interbankWaitMs,
    callsMax: 1_024,
    ...(options.ask && { inquiryIntervals: options.ask }),
  });
  const sender = watchSender(dispatcher.sender, reached);
  const deps = {
    engine,
    clock,
    reads: createReads(reads),
    reference: () => reference,
    readShares: testPartnerShares(),
    sender,
  };
  const handlers: Readonly<Record<NodeOperation, Handler>> = {
    interbankTransfer: handleInterbankTransfer(deps),
    interbankBulkTransfer: handleInterbankBulkTransfer({
      ...deps,
      engine: watchBulks(engine, reached),
      bulkShares: testPartnerShares(),
    }),
    rtgsTransfer: handleRtgsTransfer(deps),
    sknTransfer: handleSknTransfer(deps),
  };
  return {
    engine,
    clock,
    reads,
    database,
    dispatcher,
    call: ({ name, partner, externalId, request, signature }) =>
      handlers[name](
        callOf({ clock }, credentialsOf(partner), {
          operation: operations[name as OperationName],
          request,
          externalId,
          ...(signature !== undefined && { signature }),
        }),
      ),
    look: async () => {
      await Promise.all(jobsOf(dispatcher).map((job) => job.run(mayGoOn)));
    },
    [Symbol.asyncDispose]: async () => {
      await dispatcher.close();
      await engine.close();
      await Promise.all([reads.end(), database.end()]);
    },
  };
}
