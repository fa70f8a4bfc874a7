/** Examples of unsuccessful responses to the row's example request (spec D8). */
import type { Fields } from "../fields/field-type.ts";
import { envelope } from "../operation.ts";
import { type OperationRow, operations } from "../operations.ts";
import { type CaseName, responseCases } from "../response-cases.ts";
import { responseCode, responseMessage } from "../response-code.ts";
import { reasonsOf } from "../response-reasons.ts";
import { transactionStatuses } from "../statuses.ts";
import type { Json, JsonSchema } from "./schemas.ts";
import { toJson } from "./schemas.ts";

type Values = Readonly<Record<string, unknown>>;

/** The text in brackets at the end of the message. */
interface Detail {
  readonly field: string | undefined;
  readonly reason: string | undefined;
}

/** Cases that come with and without a reason. */
const mayLackReason: ReadonlySet<CaseName> = new Set<CaseName>(["transactionNotFound", "conflict"]);

/** Present only on success, wherever a request may have named them. */
const onlyOnSuccess = new Set(["referenceNo", "captureNo", "captureTime", "voidNo", "voidTime"]);
/** Found before the body is read (spec D8): the envelope alone. */
const envelopeOnly: ReadonlySet<CaseName> = new Set<CaseName>([
  "badRequest",
  "unauthorized",
  "invalidToken",
  "invalidCustomerToken",
  "tokenNotFound",
  "featureNotAllowed",
  "tooManyRequests",
  "generalError",
  "serviceUnavailable",
]);
export const repeatCases: readonly CaseName[] = ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"];

/** The fields of a failed response: those of the response without what only a success has. */
export function failureFields({ response }: OperationRow): Fields {
  return Object.fromEntries(
    Object.entries(response)
      .filter(([name, { presence }]) => presence !== "onSuccess" && !onlyOnSuccess.has(name))
      .map(([name, field]) => [name, name in envelope ? field : ({ ...field, presence: "optional" } as const)]),
  );
}

/** The request's fields that the response lists, without the conditional ones: those come from the record. */
function echoOf({ request, response, example }: OperationRow, without?: string): Values {
  const given: Values = example.request;
  const names = Object.keys(response).filter(
    (name) =>
      name in request && name !== without && response[name]?.presence !== "conditional" && !onlyOnSuccess.has(name),
  );
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

/** Fields of the operation's own where there is no record: a status, an amount, number and time of a refund. */
function ownFields(row: OperationRow, name: CaseName): Values {
  const given: Values = row.example.response;
  if (row.kind === "read") {
    if (name !== "transactionNotFound") return {};
    const { response } = row;
    const status = { latestTransactionStatus: "07", transactionStatusDesc: transactionStatuses["07"].description };
    if ("latestTransactionStatus" in response) return status;
    const original: OperationRow | undefined = row.about.startsFrom && operations[row.about.startsFrom];
    const { amount = "" } = original?.about ?? {};
    return amount in response ? { [amount]: { value: "0.00", currency: "IDR" } } : {};
  }
  const isKept = (field: string) => {
    const presence = row.response[field]?.presence;
    const isFound = presence === "conditional" && name !== "transactionNotFound" && given[field] !== undefined;
    return !(field in envelope) && !onlyOnSuccess.has(field) && (presence === "mandatory" || isFound);
  };
  return Object.fromEntries(
    Object.keys(row.response)
      .filter(isKept)
      .map((field) => [field, given[field]]),
  );
}

/** The response to a repeat has an `additionalInfo` of its own, or none. */
function withoutAdditional({ additionalInfo: _, ...values }: Values): Values {
  return values;
}

/** The response to a repeat of the example, accepted before (spec D7). */
function repeatOf(row: OperationRow): Values {
  const echo = withoutAdditional(echoOf(row));
  const additionalInfo = { originalResponse: row.example.response, latestTransactionStatus: row.about.exampleStatus };
  return { ...echo, ...ownFields(row, "conflict"), additionalInfo };
}

function fieldsOf(row: OperationRow, name: CaseName, { field, reason }: Detail): Values {
  if (envelopeOnly.has(name) || row.kind === "notification") return {};
  if (name === "requestInProgress") {
    const { responseCode: _, responseMessage: __, traceNo: ___, ...rest } = row.example.response as Values;
    return rest;
  }
  if (name === "conflict" && reason !== undefined) return withoutAdditional(echoOf(row));
  if (repeatCases.includes(name)) return repeatOf(row);
  if (field !== undefined) return echoOf(row, field);
  return { ...echoOf(row), ...ownFields(row, name) };
}

/** The examples of a case, one for each of its reasons; of a repeat also that of an item, where there are items. */
export function caseExamples(row: OperationRow, name: CaseName): readonly (readonly [string, JsonSchema])[] {
  const itemField = row.itemFields?.[name];
  const isRepeat = repeatCases.includes(name);
  const ownField = responseCases[name].namesField ? (Object.keys(row.request)[0] ?? "X-TIMESTAMP") : undefined;
  const code = responseCode(name, row.code);
  const example = (reason?: string, field = isRepeat ? undefined : (itemField ?? ownField)): JsonSchema => {
    const message = responseMessage(name, { field, reason });
    const value = inOrder(row, {
      responseCode: code,
      responseMessage: message,
      ...fieldsOf(row, name, { field, reason }),
    });
    return { summary: `${code} ${message}`, value };
  };
  const withReason = reasonsOf(name, row.code).map((reason) => [`${name}: ${reason}`, example(reason)] as const);
  const isBareToo = withReason.length === 0 || mayLackReason.has(name);
  return [
    ...(isBareToo ? [[name, example()] as const] : []),
    ...withReason,
    ...(isRepeat && itemField !== undefined ? [[`${name}: ${itemField}`, example(undefined, itemField)] as const] : []),
  ];
}

function inOrder(row: OperationRow, values: Values): Json {
  const names = Object.keys(row.response).filter((name) => values[name] !== undefined);
  return toJson(Object.fromEntries(names.map((name) => [name, values[name]])));
}
