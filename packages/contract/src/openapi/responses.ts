/** The responses of the documentation: success, and every other case of an operation, by HTTP status. */
import type { OperationRow } from "../operations.ts";
import { type CaseName, responseCases } from "../response-cases.ts";
import { responseCode } from "../response-code.ts";
import { caseExamples, failureFields, repeatCases } from "./examples.ts";
import { fieldsSchema, type Json, type JsonSchema, refTo } from "./schemas.ts";

/** Cases of the steps before the business ones (spec D2), in their order. */
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

/** Every case of an operation but success. */
export function casesOf(row: OperationRow): readonly CaseName[] {
  if (row.kind === "notification") return ["badRequest", "unauthorized", "conflict", "generalError"];
  const before = row.kind === "token" ? tokenCases : callCases;
  const repeats = row.kind === "write" ? repeatCases : [];
  return [...before, ...repeats, ...row.cases, "generalError"];
}

/** The schemas of an operation's responses, by name. */
export function responseSchemas(row: OperationRow, name: string): Readonly<Record<string, JsonSchema>> {
  const failure = fieldsSchema(failureFields(row), "response");
  const properties = failure.properties as JsonSchema;
  const schemas = {
    [`${name}Response`]: fieldsSchema(row.response, "response"),
    [`${name}Failure`]: {
      ...failure,
      properties: { ...properties, ...("additionalInfo" in properties && { additionalInfo: echoed }) },
      description: "The envelope, the valid fields of the request, and the mandatory fields of the response.",
    },
  };
  if (row.kind !== "write") return schemas;
  const additionalInfo: JsonSchema = {
    type: "object",
    required: ["originalResponse", "latestTransactionStatus"],
    properties: {
      originalResponse: {
        anyOf: [refTo(`${name}Response`), refTo(`${name}Failure`)],
        description: "The first response.",
      },
      latestTransactionStatus: { ...(properties.latestTransactionStatus as JsonSchema | undefined), ...status },
    },
    description: "The first response to the repeated call. Absent if the id was used for another request.",
  };
  const repeat = { ...failure, properties: { ...properties, additionalInfo } };
  return { ...schemas, [`${name}Repeat`]: repeat };
}

const echoed: JsonSchema = { description: "That of the request, byte for byte." };

const status: JsonSchema = {
  type: "string",
  enum: ["00", "01", "02", "03", "04", "05", "06"],
  description: "Current status. It outranks the first response.",
};

/** Headers of responses. */
export const responseHeaders: JsonSchema = {
  "X-TIMESTAMP": {
    description: "Time of the provider; in 73 and 74 that of the request.",
    schema: { type: "string" },
  },
  "X-CLIENT-KEY": { description: "That of the request.", schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds to wait before the call is repeated.",
    schema: { type: "integer", minimum: 1 },
  },
  "X-CORRELATION-ID": {
    description: "Id of the call in the provider's log; that of an internal error is also in responseMessage.",
    schema: { type: "string" },
  },
  Allow: { description: "The method that is supported.", schema: { type: "string" } },
};

/** The headers of a response of a status, beside X-TIMESTAMP and X-CORRELATION-ID. Of the reply to a notification none is read. */
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

function headersOf(row: OperationRow, httpStatus: number): JsonSchema {
  if (row.kind === "notification") return {};
  const names = [
    "X-TIMESTAMP",
    "X-CORRELATION-ID",
    ...(headersByStatus[httpStatus] ?? []),
    ...(row.kind === "token" ? ["X-CLIENT-KEY"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The schema of a response of these cases: a success, that to a repeat, a failure, or one of the last two. */
function schemaOf(names: readonly CaseName[], schemaName: string): JsonSchema {
  const kinds = new Set(names.map((name) => kindOf(name)));
  const refs = [...kinds].map((kind) => refTo(`${schemaName}${kind}`));
  return refs.length === 1 ? (refs[0] as JsonSchema) : { anyOf: refs };
}

function kindOf(name: CaseName): "Response" | "Repeat" | "Failure" {
  if (responseCases[name].status < 400) return "Response";
  return repeatCases.includes(name) ? "Repeat" : "Failure";
}

/** The `responses` of an operation. `example` is that of a success. */
export function responsesOf(row: OperationRow, schemaName: string, example: Json): JsonSchema {
  const responses: Record<string, JsonSchema> = {
    "200": {
      description: responseCases.success.message,
      headers: headersOf(row, 200),
      content: content(refTo(`${schemaName}Response`), {
        success: { summary: `${responseCode("success", row.code)}`, value: example },
      }),
    },
  };
  const cases = casesOf(row);
  for (const httpStatus of new Set(cases.map((name) => responseCases[name].status))) {
    const names = cases.filter((name) => responseCases[name].status === httpStatus);
    const schema = row.kind === "notification" ? refTo(`${schemaName}Failure`) : schemaOf(names, schemaName);
    responses[String(httpStatus)] = {
      description: names.map((name) => `${responseCode(name, row.code)} ${responseCases[name].message}`).join("\n\n"),
      headers: headersOf(row, httpStatus),
      content: content(schema, Object.fromEntries(names.flatMap((name) => caseExamples(row, name)))),
    };
  }
  return responses;
}

function content(schema: JsonSchema, examples: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { "application/json": { schema, examples } };
}
