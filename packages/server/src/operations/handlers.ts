/** The operations that work, by name. One that is neither here nor listed as pending is a type error. */
import type { OperationName } from "@titian/contract";
import type { Handler } from "../call.ts";
import type { Reads } from "../store/reads/reads.ts";
import { handleInternalAccountInquiry } from "./internal-account-inquiry.ts";
import { handleIntrabankTransfer } from "./intrabank-transfer.ts";
import { handleStatusInquiryBank } from "./status-inquiry-bank.ts";
import type { WriteDeps } from "./write.ts";

/** Answered 405xx00 until their release. */
export const pendingOperations = [
  "authPayment",
  "authPaymentQuery",
  "authCapture",
  "authCaptureQuery",
  "authVoid",
  "authVoidQuery",
  "authRefund",
  "interbankTransfer",
  "requestForPayment",
  "interbankBulkTransfer",
  "rtgsTransfer",
  "sknTransfer",
  "statusInquiryNonBank",
  "externalAccountInquiry",
  "accessTokenB2b2c",
] as const satisfies readonly OperationName[];

/** Received by partners, or answered by the edge itself. */
type Elsewhere = "bulkNotification" | "rtgsNotification" | "sknNotification" | "accessTokenB2b";
type Working = Exclude<OperationName, Elsewhere | (typeof pendingOperations)[number]>;

export interface OperationDeps extends WriteDeps {
  readonly reads: Reads;
}

export function createHandlers(deps: OperationDeps): Readonly<Record<Working, Handler>> {
  return {
    internalAccountInquiry: handleInternalAccountInquiry(deps),
    intrabankTransfer: handleIntrabankTransfer(deps),
    statusInquiryBank: handleStatusInquiryBank(deps),
  };
}
