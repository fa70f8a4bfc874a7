/** The OpenAPI 3.1 document of the interface, made from the table of operations. */
import { type OperationRow, operationRows } from "../operations.ts";
import { notificationParameters, parametersOf } from "./parameters.ts";
import { responseHeaders, responseSchemas, responsesOf } from "./responses.ts";
import { fieldsSchema, type Json, type JsonSchema, refTo, sharedSchemas, toJson } from "./schemas.ts";

export interface OpenApiOptions {
  /** Path before the version; may be empty. */
  readonly pathPrefix: string;
  /** The `{version}` segment, such as `v1.0`. */
  readonly version: string;
  readonly serverUrl?: string | undefined;
  /** Operations with the examples to show; absent: the contract's. */
  readonly rows?: readonly OperationRow[];
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: JsonSchema;
  readonly servers?: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly webhooks: Readonly<Record<string, JsonSchema>>;
  readonly components: JsonSchema;
}

const rules = [
  "Every operation is an HTTP POST of one JSON object, and every response carries `responseCode` (HTTP status, service",
  "code, case code) and `responseMessage`. Lengths count Unicode code points; texts hold no control characters,",
  "bidirectional controls or non-characters. An optional text of white space alone or null counts as absent. Unknown members are ignored.",
].join(" ");

const tags = [
  { name: "token", description: "Access tokens." },
  {
    name: "write",
    description: [
      "Move or reserve money, or store an instruction. `X-EXTERNAL-ID` is the idempotency key: a retry reuses it, has no",
      "second effect and gets 409 with the first response. A new key is a new instruction.",
    ].join(" "),
  },
  { name: "read", description: "Queries and inquiries." },
  { name: "notification", description: "Sent to the partner's registered address." },
];

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function describeOperation(row: OperationRow): JsonSchema {
  const name = capitalized(row.name);
  return {
    operationId: row.name,
    tags: [row.kind],
    summary: `${row.code} ${row.title}`,
    description: row.description,
    ...callerOf(row),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: refTo(`${name}Request`),
          examples: { request: { value: toJson(row.example.request) } },
        },
      },
    },
    responses: responsesOf(row, name, toJson(row.example.response)),
  };
}

/** Credentials of a caller. In mode 2 it signs without a token, and so do we for notifications. */
function callerOf({ kind }: OperationRow): JsonSchema {
  if (kind === "token") return { security: [], parameters: parametersOf("token") };
  if (kind === "notification") return { security: [{ partnerToken: [] }, {}], parameters: notificationParameters };
  return { security: [{ accessToken: [] }, {}], parameters: parametersOf("transaction") };
}

function describeComponents(): JsonSchema {
  const schemas: Record<string, Json> = { ...sharedSchemas };
  for (const row of operationRows) {
    const name = capitalized(row.name);
    schemas[`${name}Request`] = {
      ...fieldsSchema(row.request, "request"),
      ...(row.alternatives && { anyOf: toJson(row.alternatives) }),
    };
    Object.assign(schemas, responseSchemas(row, name));
  }
  const accessToken = {
    type: "http",
    scheme: "bearer",
    description: "Access token of service 73; partners in signing mode 2 need none.",
  };
  const partnerToken = {
    type: "http",
    scheme: "bearer",
    description: "Token that the partner issues to the provider, in signing mode 1 alone.",
  };
  return { schemas, headers: responseHeaders, securitySchemes: { accessToken, partnerToken } };
}

/** Describes every operation; 21, 75 and 76, which the partner receives, as webhooks. */
export function createOpenApi({
  pathPrefix,
  version,
  serverUrl,
  rows = operationRows,
}: OpenApiOptions): OpenApiDocument {
  const paths: Record<string, JsonSchema> = {};
  const webhooks: Record<string, JsonSchema> = {};
  for (const row of rows) {
    const item = { post: describeOperation(row) };
    if (row.direction === "toPartner") webhooks[row.name] = item;
    else paths[`${pathPrefix}/${version}/${row.path}`] = item;
  }
  return {
    openapi: "3.1.0",
    info: { title: "Titian: SNAP BI payments and transfers", version, description: rules },
    ...(serverUrl !== undefined && { servers: [{ url: serverUrl }] }),
    tags,
    paths,
    webhooks,
    components: describeComponents(),
  };
}
