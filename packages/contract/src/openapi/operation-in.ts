/** Reads an operation back from the document, for whatever shows it: what a page shows is then what the document says. */
import type { ValuesOf } from "../fields/field-type.ts";
import type { Envelope } from "../operation.ts";
import type { OperationName } from "../operations.ts";
import type { OpenApiDocument } from "./create-open-api.ts";
import type { Json, JsonSchema } from "./schemas.ts";

export interface DescribedHeader {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface DescribedOperation {
  /** As served; of a notification undefined: it is sent to the partner's address. */
  readonly path: string | undefined;
  readonly headers: readonly DescribedHeader[];
  readonly request: Json;
  /** Examples of all responses, success first. */
  readonly responses: readonly { readonly code: string; readonly message: string; readonly example: Json }[];
}

interface Shape {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

interface Content {
  readonly "application/json": { readonly examples: Readonly<Record<string, { readonly value: Json }>> };
}

/** @throws when the document has no such operation */
export function operationIn({ paths, webhooks }: OpenApiDocument, name: OperationName): DescribedOperation {
  const calls = Object.entries(paths).map(([path, item]) => ({ path, item }));
  const sent = Object.values(webhooks).map((item) => ({ path: undefined, item }));
  for (const { path, item } of [...calls, ...sent]) {
    const { post } = item as unknown as { readonly post: Shape };
    if (post.operationId !== name) continue;
    const [request] = examplesOf(post.requestBody.content);
    return {
      path,
      headers: post.parameters.map(({ required: isRequired, ...header }) => ({ ...header, isRequired })),
      request: request ?? null,
      responses: Object.values(post.responses).flatMap(({ content }) => examplesOf(content).map(describeResponse)),
    };
  }
  throw new Error(`The document has no operation ${name}.`);
}

const examplesOf = (content: Content): readonly Json[] =>
  Object.values(content["application/json"].examples).map(({ value }) => value);

function describeResponse(example: Json): DescribedOperation["responses"][number] {
  const { responseCode: code, responseMessage: message } = example as unknown as ValuesOf<Envelope>;
  return { code, message, example };
}
