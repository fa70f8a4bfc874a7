/** Holds over the control API. */
import { formatTimestamp } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  findHold,
  fromReferenceNo,
  holdAt,
  holdState,
  remaining,
  toReferenceNo,
  type FoundHold,
  type StatementPool,
} from "@titian/server/admin";
import type { Clock } from "@titian/server/rails";
import { ControlError } from "./control-error.ts";
import { writeAmount } from "./money-text.ts";

export interface HoldCallsDeps {
  readonly reads: StatementPool;
  readonly clock: Clock;
}

interface HoldPath {
  readonly Params: { readonly referenceNo: string };
}

export function serveHoldCalls(app: FastifyInstance, { reads, clock }: HoldCallsDeps): void {
  app.get<HoldPath>("/holds/:referenceNo", async ({ params }) => {
    const id = fromReferenceNo(params.referenceNo);
    const found = id === undefined ? undefined : await findHold(reads, id);
    if (found) return show(found, clock.now());
    throw new ControlError(404, "unknownHold", "There is no hold of this reference number.", "referenceNo");
  });
}

/** As it is by now: a hold past its time has expired, swept or not. */
function show({ hold, payerAccountNo, settlementAccountNo }: FoundHold, now: number) {
  const present = holdAt(hold, now);
  const text = (amount: bigint) => writeAmount(amount, hold.currency);
  return {
    referenceNo: toReferenceNo(hold.id),
    partnerReferenceNo: hold.partnerReferenceNo,
    merchantId: hold.merchantId,
    payerAccountNo,
    settlementAccountNo,
    currency: hold.currency,
    held: text(present.held),
    captured: text(present.captured),
    voided: text(present.voided),
    expired: text(present.expired),
    refunded: text(present.refunded),
    remaining: text(remaining(present)),
    state: holdState(present),
    expiresAt: formatTimestamp(hold.expiresAt),
  };
}
