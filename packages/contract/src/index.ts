/** What travels between a partner and the provider. Everything public of the package. */
export { currencyCodes, currencyScale } from "./currencies.ts";
export type { Field, Fields, Presence, ValuesOf } from "./fields/field.ts";
export { conditional, mandatory, onSuccess, optional } from "./fields/field.ts";
export type { FieldType, JsonObject, ListType, TextType, TypeOf } from "./fields/field-type.ts";
export { oneOf, pattern, text } from "./fields/text-types.ts";
export {
  AccountName,
  AccountNo,
  AccountType,
  AttemptStatus,
  BankCode,
  Currency,
  CustomerType,
  Email,
  ExternalId,
  FeeType,
  FreeForm,
  FreeFormAny,
  listOf,
  Money,
  Reference,
  Residence,
  ResponseCode,
  ResponseMessage,
  SourceAccountNo,
  Timestamp,
  TransactionStatus,
  TransferServiceCode,
  TrueFalseText,
} from "./fields/types.ts";
export type { Direction, Envelope, Operation, OperationKind } from "./operation.ts";
export { defineOperation } from "./operation.ts";
export type { OperationName, OperationRow, RequestOf, ResponseOf } from "./operations.ts";
export { operationByCode, operationRows, operations } from "./operations.ts";
export type { CaseName } from "./response-cases.ts";
export { responseCases } from "./response-cases.ts";
export type { ParsedResponseCode } from "./response-code.ts";
export { parseResponseCode, responseCode, responseMessage } from "./response-code.ts";
export type { AttemptStatusText, TransactionStatusCode } from "./statuses.ts";
export { attemptStatuses, transactionStatusCodes, transactionStatuses } from "./statuses.ts";
export { formatTimestamp, hasOffset, parseTimestamp } from "./timestamps.ts";
