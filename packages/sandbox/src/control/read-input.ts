/** Bodies and queries of control calls, read strictly: what a schema does not say is rejected, by name. */
import type { Static, TObject, TSchema } from "typebox";
import { Check, Errors } from "typebox/value";
import { ControlError, invalidField } from "./control-error.ts";

/** The body as its schema says; no body at all is an empty object. `description` of a member completes "must be …". */
export function readBody<Schema extends TObject>(schema: Schema, body: unknown): Static<Schema> {
  return readInput(schema, Buffer.isBuffer(body) && body.length > 0 ? parse(body) : {}, "body");
}

/** The query as its schema says; every value is a text. */
export function readQuery<Schema extends TObject>(schema: Schema, query: unknown): Static<Schema> {
  return readInput(schema, query, "query");
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ControlError(400, "invalidJson", "The body is no JSON in UTF-8.");
  }
}

function readInput<Schema extends TObject>(schema: Schema, value: unknown, place: "body" | "query"): Static<Schema> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ControlError(400, "invalidJson", "The body is no JSON object.");
  }
  const known = Object.keys(schema.properties);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const may = known.length === 0 ? "nothing" : known.join(", ");
    throw invalidField(unknown, `The ${place} of this call has no ${JSON.stringify(unknown)}; it may hold ${may}.`);
  }
  for (const [name, member] of Object.entries<TSchema>(schema.properties)) {
    const isMissing = !Object.hasOwn(value, name);
    if (isMissing && schema.required?.includes(name)) {
      throw invalidField(name, `${name} is missing: give ${describe(member)}.`);
    }
  }
  if (Check(schema, value)) return value;
  const field = Errors(schema, value)[0]?.instancePath.split("/")[1] ?? "";
  throw invalidField(field, `${field} must be ${describe(schema.properties[field])}.`);
}

function describe(schema: TSchema | undefined): string {
  return schema !== undefined && "description" in schema ? String(schema.description) : "valid";
}
