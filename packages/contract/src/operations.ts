/** The table of all operations: routes, validation, client methods, documentation and tests come from its rows. */

import type { Fields, ValuesOf } from "./fields/field-type.ts";
import type { Operation } from "./operation.ts";
import { accessTokenB2b } from "./operations/access-token-b2b.ts";
import { accessTokenB2b2c } from "./operations/access-token-b2b2c.ts";
import { authCapture } from "./operations/auth-capture.ts";
import { authCaptureQuery } from "./operations/auth-capture-query.ts";
import { authPayment } from "./operations/auth-payment.ts";
import { authPaymentQuery } from "./operations/auth-payment-query.ts";
import { authRefund } from "./operations/auth-refund.ts";
import { authVoid } from "./operations/auth-void.ts";
import { authVoidQuery } from "./operations/auth-void-query.ts";
import { bulkNotification } from "./operations/bulk-notification.ts";
import { externalAccountInquiry } from "./operations/external-account-inquiry.ts";
import { interbankBulkTransfer } from "./operations/interbank-bulk-transfer.ts";
import { interbankTransfer } from "./operations/interbank-transfer.ts";
import { internalAccountInquiry } from "./operations/internal-account-inquiry.ts";
import { intrabankTransfer } from "./operations/intrabank-transfer.ts";
import { requestForPayment } from "./operations/request-for-payment.ts";
import { rtgsNotification } from "./operations/rtgs-notification.ts";
import { rtgsTransfer } from "./operations/rtgs-transfer.ts";
import { sknNotification } from "./operations/skn-notification.ts";
import { sknTransfer } from "./operations/skn-transfer.ts";
import { statusInquiryBank } from "./operations/status-inquiry-bank.ts";
import { statusInquiryNonBank } from "./operations/status-inquiry-non-bank.ts";

export const operations = {
  authPayment,
  authPaymentQuery,
  authCapture,
  authCaptureQuery,
  authVoid,
  authVoidQuery,
  authRefund,
  intrabankTransfer,
  interbankTransfer,
  requestForPayment,
  interbankBulkTransfer,
  bulkNotification,
  rtgsTransfer,
  rtgsNotification,
  sknTransfer,
  sknNotification,
  statusInquiryBank,
  statusInquiryNonBank,
  internalAccountInquiry,
  externalAccountInquiry,
  accessTokenB2b,
  accessTokenB2b2c,
} as const;

export type OperationName = keyof typeof operations;

/** Any row, for code that is generic in the operation. */
export type OperationRow = Operation<OperationName, Fields, Fields>;

/** A request as it is read: mandatory fields present, absent optionals left out. */
export type RequestOf<Name extends OperationName> = ValuesOf<(typeof operations)[Name]["request"]>;
/** A successful response as it is read. */
export type ResponseOf<Name extends OperationName> = ValuesOf<(typeof operations)[Name]["response"]>;

/** Every row, in the order of the specification's list of endpoints. */
export const operationRows: readonly OperationRow[] = Object.values(operations);

const rowsByCode = new Map(operationRows.map((row) => [row.code, row]));

/** The row of a service code, or undefined when there is none. */
export function operationByCode(code: string): OperationRow | undefined {
  return rowsByCode.get(code);
}
