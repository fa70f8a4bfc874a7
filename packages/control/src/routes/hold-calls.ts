/** Holds over the control API. */
import { formatTimestamp } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import { findHoldSummary, type HoldSummary, type StatementPool } from "@titian/server/admin";
import type { Clock } from "@titian/server/rails";
import { ControlError } from "../control-error.ts";
import { writeAmount } from "../money-text.ts";

export interface HoldCallsDeps {
  readonly reads: StatementPool;
  readonly clock: Clock;
}

interface HoldPath {
  readonly Params: { readonly referenceNo: string };
}

export function serveHoldCalls(app: FastifyInstance, { reads, clock }: HoldCallsDeps): void {
  app.get<HoldPath>("/holds/:referenceNo", async ({ params }) => {
    const hold = await findHoldSummary({ pool: reads, clock }, params.referenceNo);
    if (hold) return show(hold);
    throw new ControlError(404, "unknownHold", "There is no hold of this reference number.", "referenceNo");
  });
}

function show(hold: HoldSummary) {
  const text = (amount: bigint) => writeAmount(amount, hold.currency);
  return {
    referenceNo: hold.referenceNo,
    partnerReferenceNo: hold.partnerReferenceNo,
    merchantId: hold.merchantId,
    payerAccountNo: hold.payerAccountNo,
    settlementAccountNo: hold.settlementAccountNo,
    currency: hold.currency,
    held: text(hold.held),
    captured: text(hold.captured),
    voided: text(hold.voided),
    expired: text(hold.expired),
    refunded: text(hold.refunded),
    remaining: text(hold.remaining),
    state: hold.state,
    expiresAt: formatTimestamp(hold.expiresAt),
  };
}
