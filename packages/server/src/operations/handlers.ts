/** Handlers by operation. An operation that is not here is a type error. */
import type { Handler, Reply } from "../interfaces/call.ts";
import { mergeIntoQuery } from "./additional-info.ts";
import type { Placed } from "./cells/place-call.ts";
import { handleAuthCapture } from "./holds/auth-capture.ts";
import { handleAuthPayment } from "./holds/auth-payment.ts";
import { handleAuthPaymentQuery } from "./holds/auth-payment-query.ts";
import { handleAuthVoid } from "./holds/auth-void.ts";
import { handleAuthCaptureQuery, handleAuthVoidQuery } from "./holds/change-query.ts";
import { handleRefundInCells, type MerchantFundsDeps, sweepAfter } from "./holds/merchant-funds.ts";
import { handleInternalAccountInquiry } from "./accounts/internal-account-inquiry.ts";
import { type ExternalInquiryDeps, handleExternalAccountInquiry } from "./accounts/external-account-inquiry.ts";
import { handleInterbankTransfer } from "./transfers/interbank-transfer.ts";
import type { RailDeps } from "./transfers/rail-transfer.ts";
import { handleRtgsTransfer, handleSknTransfer } from "./transfers/clearing-transfer.ts";
import { handleIntrabankTransfer } from "./transfers/intrabank-transfer.ts";
import { type BulkDeps, handleInterbankBulkTransfer } from "./bulks/interbank-bulk-transfer.ts";
import { type AcrossDeps, type HandleAcross, handleTransferAcrossCells } from "./transfers/transfer-across-cells.ts";
import { handleRequestForPayment, handleRequestForPaymentAcrossCells } from "./transfers/request-for-payment.ts";
import { handleStatusInquiry, type InquiryDeps } from "./status-inquiry.ts";

interface Mode {
  /** True: the database may lack what was accepted, so that inquiries are answered only where that changes nothing. */
  readonly isInquiriesOnly?: () => boolean;
}

type HandlerDeps = RailDeps & BulkDeps & ExternalInquiryDeps & InquiryDeps & MerchantFundsDeps & Mode;

export function createHandlers(deps: HandlerDeps): Readonly<Record<Placed, Handler>> {
  const write = (handler: Handler) => whileOpen(deps, handler);
  return {
    authPayment: write(handleAuthPayment(deps)),
    authPaymentQuery: inquiry(deps, handleAuthPaymentQuery(deps)),
    authCapture: write(sweepAfter(deps, handleAuthCapture(deps))),
    authCaptureQuery: inquiry(deps, handleAuthCaptureQuery(deps)),
    authVoid: write(handleAuthVoid(deps)),
    authVoidQuery: inquiry(deps, handleAuthVoidQuery(deps)),
    authRefund: write(handleRefundInCells(deps)),
    interbankTransfer: write(handleInterbankTransfer(deps)),
    interbankBulkTransfer: write(handleInterbankBulkTransfer(deps)),
    rtgsTransfer: write(handleRtgsTransfer(deps)),
    sknTransfer: write(handleSknTransfer(deps)),
    externalAccountInquiry: handleExternalAccountInquiry(deps),
    statusInquiryNonBank: inquiry(deps, handleStatusInquiry(deps)),
    internalAccountInquiry: query(deps, handleInternalAccountInquiry(deps)),
    intrabankTransfer: write(handleIntrabankTransfer(deps)),
    requestForPayment: write(handleRequestForPayment(deps)),
    statusInquiryBank: inquiry(deps, handleStatusInquiry(deps)),
  };
}

/** Handlers of calls that concern an account of another cell, too; an operation that is not here reaches none. */
export function createHandlersAcross(deps: AcrossDeps): Readonly<Partial<Record<Placed, HandleAcross>>> {
  const write =
    (handle: HandleAcross): HandleAcross =>
    (call, cell) =>
      whileOpen(deps, (given) => handle(given, cell))(call);
  return {
    intrabankTransfer: write(handleTransferAcrossCells(deps)),
    requestForPayment: write(handleRequestForPaymentAcrossCells(deps)),
  };
}

/** Seconds after which a caller asks again whether the intake is open. */
const intakeRetrySeconds = 30;

/** Nothing is taken while operators have closed the intake. */
function whileOpen({ reference }: Pick<RailDeps, "reference">, handler: Handler): Handler {
  return (call) =>
    reference().closed.has("intake")
      ? Promise.resolve({ case: "serviceUnavailable", retryAfter: intakeRetrySeconds })
      : handler(call);
}

/** A read waits for its turn; 503 when too many wait. Its response has the request's `additionalInfo` beside the record's. */
function query({ readShares }: RailDeps, handler: Handler): Handler {
  return async (call) => {
    const reply = await readShares.run(call.partner.key, () => handler(call));
    return reply === undefined ? { case: "serviceUnavailable", retryAfter: 1 } : mergeIntoQuery(reply, call);
  };
}

const unknownOutcome: Reply = { case: "generalError", reason: "Outcome unknown" };

/** A read about a write. Where the database may lack later ones, only what none of them can have changed is told. */
function inquiry(deps: HandlerDeps, handler: Handler): Handler {
  const answer = query(deps, handler);
  return async (call) => {
    // Asked first: what is read behind it is as the mode says, or newer.
    const isInquiriesOnly = deps.isInquiriesOnly?.() === true;
    const reply = await answer(call);
    if (!isInquiriesOnly) return reply;
    const isTold = reply.case === "success" ? reply.isFinal === true : reply.case !== "transactionNotFound";
    return isTold ? reply : unknownOutcome;
  };
}
