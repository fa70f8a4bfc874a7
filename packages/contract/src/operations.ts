/** The table of all operations: routes, validation, client methods, documentation and tests come from its rows. */

import type { Fields, TypeOf, ValuesOf } from "./fields/field-type.ts";
import type { About, Noun } from "./about.ts";
import type { Direction, Operation, OperationKind } from "./operation.ts";
import { accessTokenB2b } from "./operations/tokens/access-token-b2b.ts";
import { accessTokenB2b2c } from "./operations/tokens/access-token-b2b2c.ts";
import { authCapture } from "./operations/holds/auth-capture.ts";
import { authCaptureQuery } from "./operations/holds/auth-capture-query.ts";
import { authPayment } from "./operations/holds/auth-payment.ts";
import { authPaymentQuery } from "./operations/holds/auth-payment-query.ts";
import { authRefund } from "./operations/holds/auth-refund.ts";
import { authVoid } from "./operations/holds/auth-void.ts";
import { authVoidQuery } from "./operations/holds/auth-void-query.ts";
import { bulkNotification } from "./operations/notifications/bulk-notification.ts";
import { externalAccountInquiry } from "./operations/accounts/external-account-inquiry.ts";
import { interbankBulkTransfer } from "./operations/transfers/interbank-bulk-transfer.ts";
import { interbankTransfer } from "./operations/transfers/interbank-transfer.ts";
import { internalAccountInquiry } from "./operations/accounts/internal-account-inquiry.ts";
import { intrabankTransfer } from "./operations/transfers/intrabank-transfer.ts";
import { requestForPayment } from "./operations/transfers/request-for-payment.ts";
import { rtgsNotification } from "./operations/notifications/rtgs-notification.ts";
import { rtgsTransfer } from "./operations/transfers/rtgs-transfer.ts";
import { sknNotification } from "./operations/notifications/skn-notification.ts";
import { sknTransfer } from "./operations/transfers/skn-transfer.ts";
import { statusInquiryBank } from "./operations/transfers/status-inquiry-bank.ts";
import { statusInquiryNonBank } from "./operations/transfers/status-inquiry-non-bank.ts";

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
export type OperationRow = Operation<OperationName, Fields, Fields, OperationKind, Direction, About<OperationName>>;

/** A request as it is read: mandatory fields present, absent optionals left out. */
export type RequestOf<Name extends OperationName> = ValuesOf<(typeof operations)[Name]["request"]>;
/** Names of what a success has beside its mandatory fields: our number, and what no failed response has (spec D8). */
type CertainNames<Row extends { readonly response: Fields; readonly about: About }> =
  | (Row["about"] extends { readonly number: infer Name extends keyof Row["response"] } ? Name : never)
  | {
      [Name in keyof Row["response"]]: Row["response"][Name]["presence"] extends "onSuccess" ? Name : never;
    }[keyof Row["response"]];
type SuccessOf<Row extends { readonly response: Fields; readonly about: About }> = ValuesOf<Row["response"]> & {
  readonly [Name in CertainNames<Row>]: TypeOf<Row["response"][Name]["type"]>;
};

/** A successful response as it is read. */
export type ResponseOf<Name extends OperationName> = SuccessOf<(typeof operations)[Name]>;

/** Every row, in the order of the specification's list of endpoints. */
export const operationRows: readonly OperationRow[] = Object.values(operations);

const rowsByCode = new Map(operationRows.map((row) => [row.code, row]));

/** The row of a service code, also as records have it, or undefined when there is none. */
export function operationByCode(code: string | number): OperationRow | undefined {
  return rowsByCode.get(String(code));
}

/** Noun that the operation of a service code is about; undefined when there is none. */
export function nounOf(code: string | number): Noun | undefined {
  return operationByCode(code)?.about.noun;
}

/** The writes that make or change one of these. */
export function writesOf(...nouns: readonly Noun[]): readonly OperationRow[] {
  return operationRows.filter(({ kind, about }) => kind === "write" && nouns.includes(about.noun));
}

/** The write whose result a notification reports. */
export function reportedBy(notification: OperationName): OperationRow | undefined {
  return operationRows.find(({ about }) => about.notifiedBy === notification);
}
