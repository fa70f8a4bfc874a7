/** The wire contract between a partner and the provider. Everything public of the package. */
export type { About, Noun } from "./about.ts";
export type { CaseCause, Sentence } from "./causes/case-causes.ts";
export { caseCauses } from "./causes/case-causes.ts";
export { reasonCause } from "./causes/reason-causes.ts";
export { currencyCodes, currencyScale } from "./currencies.ts";
export { escapeControls } from "./escape-controls.ts";
export { describeField, fieldDescriptions } from "./fields/descriptions.ts";
export type { OperationDocs } from "./fields/field-docs.ts";
export { conditional, isBlank, mandatory, onSuccess, optional } from "./fields/field.ts";
export type {
  Field,
  Fields,
  FieldType,
  ListType,
  MembersType,
  Presence,
  TextType,
  TypeOf,
  ValuesOf,
} from "./fields/field-type.ts";
export type { ObjectSchema, Personal, Schema, Static } from "./fields/schema.ts";
export { anyOf, array, boolean, choice, integer, number, object, orNull, record, string } from "./fields/schema.ts";
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
  listOf,
  Money,
  RailAccountNo,
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
export type { CallKind, HeaderRule, HeaderSource, HeaderValues, ReadHeaders } from "./headers.ts";
export {
  bearerToken,
  headerNames,
  headerPatterns,
  isHeaderTimestamp,
  readHeaders,
  requiredHeaders,
} from "./headers.ts";
export type { JsonFault } from "./json/json-fault.ts";
export type { ReadJson, ReadJsonOptions } from "./json/read-json.ts";
export { readJson } from "./json/read-json.ts";
export type { OpenApiDocument, OpenApiOptions } from "./openapi/create-open-api.ts";
export { createOpenApi } from "./openapi/create-open-api.ts";
export { writeOpenApi } from "./openapi/write-open-api.ts";
export { exampleOf } from "./openapi/field-examples.ts";
export type { DescribedHeader, DescribedOperation } from "./openapi/operation-in.ts";
export { casesOf } from "./openapi/responses.ts";
export { operationIn } from "./openapi/operation-in.ts";
export type { Direction, Envelope, Operation, OperationKind } from "./operation.ts";
export { defineOperation } from "./operation.ts";
export { authPaymentMembers } from "./operations/holds/auth-payment.ts";
export type { OperationName, OperationRow, RequestOf, ResponseOf } from "./operations.ts";
export { nounOf, operationByCode, operationRows, operations, reportedBy, writesOf } from "./operations.ts";
export { readRequest } from "./reading/read-request.ts";
export type { ReadResponse, UnsuccessfulValues } from "./reading/read-response.ts";
export { readResponse } from "./reading/read-response.ts";
export type { ReadFault, ReadFields, ReadResult } from "./reading/read-result.ts";
export type { SchemaFault } from "./reading/schema-faults.ts";
export { fits, schemaFaults } from "./reading/schema-faults.ts";
export { isObject } from "./reading/walk.ts";
export type { CaseName } from "./response-cases.ts";
export { responseCases } from "./response-cases.ts";
export type { ReasonOf } from "./response-reasons.ts";
export { anotherSend, jsonReasons, reasonsOf, responseReasons } from "./response-reasons.ts";
export type { ParsedResponseCode } from "./response-code.ts";
export { parseResponseCode, responseCode, responseMessage } from "./response-code.ts";
export type { PathAliases, ServedPaths } from "./served-paths.ts";
export { findAliasFault, isFreePrefix, isServedRoot, operationAt, splitPath, suffixesOf } from "./served-paths.ts";
export { signHmac, verifyHmac } from "./signatures/hmac.ts";
export { hasOuterWhitespace, minify } from "./signatures/minify.ts";
export type { ParsedKey } from "./signatures/parsed-key.ts";
export type { RsaKey } from "./signatures/rsa.ts";
export { isPrivateKey, privateKeyAdvice, signRsa, signRsaAsync, verifyRsa } from "./signatures/rsa.ts";
export type { SignedCall } from "./signatures/string-to-sign.ts";
export { hashBody, stringToSign } from "./signatures/string-to-sign.ts";
export type { AttemptStatusText, TransactionStatusCode } from "./statuses.ts";
export { attemptStatuses, statusOfAttempt, transactionStatusCodes, transactionStatuses } from "./statuses.ts";
export { formatTimestamp, hasOffset, parseTimestamp } from "./timestamps.ts";
