/** The answers of the documentation: success, and every other case an operation may answer, by HTTP status. */
import type { OperationRow } from "../operations.ts";
import { type CaseName, responseCases } from "../response-cases.ts";
import { responseCode, responseMessage } from "../response-code.ts";
import type { Json, JsonSchema } from "./schemas.ts";

/** Cases of the steps before the business ones (decision D2), in their order. */
const tokenCases: readonly CaseName[] = [
  "notSupported",
  "badRequest",
  "invalidMandatoryField",
  "invalidFieldFormat",
  "unauthorized",
  "tooManyRequests",
  "serviceUnavailable",
];
const callCases: readonly CaseName[] = [
  ...tokenCases,
  "tokenNotFound",
  "invalidToken",
  "invalidCustomerToken",
  "featureNotAllowed",
];
const repeatCases: readonly CaseName[] = ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"];

/** Every case but success that an operation may answer. */
function casesOf(row: OperationRow): readonly CaseName[] {
  if (row.kind === "notification") return ["badRequest", "unauthorized", "conflict", "generalError"];
  const before = row.kind === "token" ? tokenCases : callCases;
  const repeats = row.kind === "write" ? repeatCases : [];
  return [...before, ...repeats, ...row.cases, "generalError"];
}

/** What the field or the reason in the message of an example is. */
function detailOf(row: OperationRow, name: CaseName): { readonly field?: string; readonly reason?: string } {
  if (name === "unauthorized") return { reason: "Signature" };
  if (!responseCases[name].namesField) return {};
  return { field: Object.keys(row.request)[0] ?? "X-TIMESTAMP" };
}

function caseExample(row: OperationRow, name: CaseName): JsonSchema {
  const code = responseCode(name, row.code);
  const message = responseMessage(name, detailOf(row, name));
  return { summary: `${code} ${responseCases[name].message}`, value: { responseCode: code, responseMessage: message } };
}

function content(schema: string, examples: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, examples } };
}

/** The `responses` of an operation. `example` is that of a success. */
export function responsesOf(row: OperationRow, schemaName: string, example: Json): JsonSchema {
  const responses: Record<string, JsonSchema> = {
    "200": {
      description: responseCases.success.message,
      content: content(schemaName, { success: { summary: `${responseCode("success", row.code)}`, value: example } }),
    },
  };
  const cases = casesOf(row);
  for (const status of new Set(cases.map((name) => responseCases[name].status))) {
    const names = cases.filter((name) => responseCases[name].status === status);
    responses[String(status)] = {
      description: names.map((name) => `${responseCode(name, row.code)} ${responseCases[name].message}`).join("\n\n"),
      content: content("Failure", Object.fromEntries(names.map((name) => [name, caseExample(row, name)]))),
    };
  }
  return responses;
}
