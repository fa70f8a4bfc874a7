/** Schemas of the OpenAPI document as the reader of schemas takes them. */
import type { Schema } from "@titian/contract";

/** A schema of the document: it may refer to another one by name. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly DescribedSchema[];
  readonly items?: DescribedSchema;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
}

/** Names that the reader knows: others would be described and never checked. */
const known: ReadonlySet<string> = new Set<Extract<keyof Schema, string>>([
  "type",
  "enum",
  "anyOf",
  "minLength",
  "maxLength",
  "pattern",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "description",
]);

/** The schema with those that it refers to in their places. @throws where the reader does not know one of its keywords. */
export function withoutReferences(
  schema: DescribedSchema,
  schemas: Readonly<Record<string, DescribedSchema | undefined>>,
): Schema {
  const { $ref, anyOf, items, properties, ...own } = schema;
  const inner = (one: DescribedSchema) => withoutReferences(one, schemas);
  if ($ref !== undefined) {
    const referred = schemas[$ref.replace("#/components/schemas/", "")];
    if (referred === undefined) throw new Error(`The document has no ${$ref}.`);
    return inner(referred);
  }
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) throw new Error(`The reader of schemas does not know ${unknown}.`);
  return {
    ...own,
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inner(member)])),
    }),
  };
}
