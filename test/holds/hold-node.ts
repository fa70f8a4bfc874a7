/** A node that serves the calls about holds without an edge: it takes what the edge hands to the operations. */
import { hash, randomUUID } from "node:crypto";
import { type OperationName, type OperationRow, operations } from "@titian/contract";
import type { AccountDeps } from "../../packages/server/src/admin/accounts/account-acts.ts";
import type { Handler, Reply } from "../../packages/server/src/interfaces/call.ts";
import type { Clock } from "../../packages/server/src/basics/clock.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { testPartnerShares } from "../support/partner-shares.ts";
import { createExpireHolds } from "../../packages/server/src/jobs/expire-holds.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import type { EngineEvents } from "../../packages/server/src/engine/batch/events.ts";
import type { Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { handleAuthCapture } from "../../packages/server/src/operations/holds/auth-capture.ts";
import {
  handleAuthCaptureQuery,
  handleAuthVoidQuery,
} from "../../packages/server/src/operations/holds/change-query.ts";
import { handleAuthPayment } from "../../packages/server/src/operations/holds/auth-payment.ts";
import { handleAuthPaymentQuery } from "../../packages/server/src/operations/holds/auth-payment-query.ts";
import { handleAuthRefund } from "../../packages/server/src/operations/holds/auth-refund.ts";
import { handleAuthVoid } from "../../packages/server/src/operations/holds/auth-void.ts";
import type { WriteDeps } from "../../packages/server/src/operations/write.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { credentialsOf } from "../support/edge/credentials.ts";
import { newSentAt } from "../support/edge/sent-at.ts";
import { mayGoOn } from "../support/run-job.ts";

export type HoldOperation = Extract<OperationName, `auth${string}`>;
export type Request = Readonly<Record<string, unknown>>;

/** A request with its headers; those not given are unique. */
export interface NodeCall {
  readonly name: HoldOperation;
  /** Internal id of the partner. */
  readonly partner: string;
  readonly request: Request;
  readonly externalId?: string;
  readonly signature?: string;
  readonly sentAt?: number;
  readonly customerAccountNo?: string | undefined;
}

export interface HoldNode extends AsyncDisposable {
  call(call: NodeCall): Promise<Reply>;
  /** Runs the expiry job once, by this node's clock. */
  expire(): Promise<void>;
  readonly admin: AccountDeps;
}

export interface HoldNodeOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Read at each decision: a test may change merchants and terms at any time. */
  readonly reference: () => Reference;
  readonly events?: EngineEvents;
}

export async function startHoldNode({ url, clock, reference, events }: HoldNodeOptions): Promise<HoldNode> {
  const pool = createReadPool(url, 4);
  const database = createAdminPool(administrationUrlOf(url), 1);
  const startEngine = () =>
    createEngine({ open: () => openSession(url, "holds"), clock, reference, ...(events && { events }) });
  const engine = await startEngine();
  const actEngine = await startEngine();
  const handlers = handlersOf({ engine, clock, reference, reads: createReads(pool), readShares: testPartnerShares() });
  const job = createExpireHolds({ engine, reads: pool, clock });
  return {
    call: async ({ name, partner, request, externalId, signature, sentAt, customerAccountNo }) => {
      const operation: OperationRow = operations[name];
      // Only this one of the row's checks, of fields that require each other, is not left to the test.
      const missed = operation.findMissing?.(request);
      if (missed !== undefined) return { case: "invalidMandatoryField", field: missed };
      return handlers[name]({
        operation,
        partner: credentialsOf(partner),
        externalId: externalId ?? randomUUID(),
        signature: signature ?? randomUUID(),
        sentAt: sentAt ?? newSentAt(),
        windowEndsAt: clock.real() + 60_000,
        request,
        bodyHash: hash("sha256", JSON.stringify(request)),
        freeForm: freeFormOf(request),
        correlationId: "test",
        ...(customerAccountNo !== undefined && { customerAccountNo }),
      });
    },
    expire: async () => void (await job.run(mayGoOn)),
    admin: { actEngine, database, clock, reads: pool },
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      await actEngine.close();
      await Promise.all([pool.end(), database.end()]);
    },
  };
}

function handlersOf(deps: WriteDeps): Readonly<Record<HoldOperation, Handler>> {
  return {
    authPayment: handleAuthPayment(deps),
    authPaymentQuery: handleAuthPaymentQuery(deps),
    authCapture: handleAuthCapture(deps),
    authCaptureQuery: handleAuthCaptureQuery(deps),
    authVoid: handleAuthVoid(deps),
    authVoidQuery: handleAuthVoidQuery(deps),
    authRefund: handleAuthRefund(deps),
  };
}

function freeFormOf({ additionalInfo }: Request): ReadonlyMap<string, Uint8Array> {
  return additionalInfo === undefined
    ? new Map()
    : new Map([["additionalInfo", Buffer.from(JSON.stringify(additionalInfo))]]);
}
