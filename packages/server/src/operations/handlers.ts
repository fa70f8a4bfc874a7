/** The operations that work, by name. One that is neither here nor listed as pending is a type error. */
import type { OperationName } from "@titian/contract";
import type { Handler } from "../call.ts";
import { handleAuthCapture } from "./auth-capture.ts";
import { handleAuthCaptureQuery } from "./auth-capture-query.ts";
import { handleAuthPayment } from "./auth-payment.ts";
import { handleAuthPaymentQuery } from "./auth-payment-query.ts";
import { handleAuthRefund } from "./auth-refund.ts";
import { handleAuthVoid } from "./auth-void.ts";
import { handleAuthVoidQuery } from "./auth-void-query.ts";
import { handleInternalAccountInquiry } from "./internal-account-inquiry.ts";
import { type ExternalInquiryDeps, handleExternalAccountInquiry } from "./external-account-inquiry.ts";
import { handleInterbankTransfer } from "./interbank-transfer.ts";
import type { RailDeps } from "./rail-transfer.ts";
import { handleRtgsTransfer } from "./rtgs-transfer.ts";
import { handleSknTransfer } from "./skn-transfer.ts";
import { handleStatusInquiryNonBank } from "./status-inquiry-non-bank.ts";
import { handleIntrabankTransfer } from "./intrabank-transfer.ts";
import { handleStatusInquiryBank } from "./status-inquiry-bank.ts";

/** Answered 405xx00 until their release. */
export const pendingOperations = [
  "requestForPayment",
  "interbankBulkTransfer",
] as const satisfies readonly OperationName[];

/** Received by partners, or answered by the edge itself. */
type Elsewhere = "bulkNotification" | "rtgsNotification" | "sknNotification" | "accessTokenB2b" | "accessTokenB2b2c";
type Working = Exclude<OperationName, Elsewhere | (typeof pendingOperations)[number]>;

export function createHandlers(deps: RailDeps & ExternalInquiryDeps): Readonly<Record<Working, Handler>> {
  return {
    authPayment: handleAuthPayment(deps),
    authPaymentQuery: inTurn(deps, handleAuthPaymentQuery(deps)),
    authCapture: handleAuthCapture(deps),
    authCaptureQuery: inTurn(deps, handleAuthCaptureQuery(deps)),
    authVoid: handleAuthVoid(deps),
    authVoidQuery: inTurn(deps, handleAuthVoidQuery(deps)),
    authRefund: handleAuthRefund(deps),
    interbankTransfer: handleInterbankTransfer(deps),
    rtgsTransfer: handleRtgsTransfer(deps),
    sknTransfer: handleSknTransfer(deps),
    externalAccountInquiry: handleExternalAccountInquiry(deps),
    statusInquiryNonBank: inTurn(deps, handleStatusInquiryNonBank(deps)),
    internalAccountInquiry: inTurn(deps, handleInternalAccountInquiry(deps)),
    intrabankTransfer: handleIntrabankTransfer(deps),
    statusInquiryBank: inTurn(deps, handleStatusInquiryBank(deps)),
  };
}

/** A read waits for its turn, and is turned away when too many wait. */
function inTurn({ readTurns }: RailDeps, handler: Handler): Handler {
  return async (call) =>
    (await readTurns.run(call.partner.key, () => handler(call))) ?? { case: "serviceUnavailable", retryAfter: 1 };
}
