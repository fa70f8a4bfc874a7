/** Bodies and queries of control calls, read strictly: what a schema does not say is rejected, by name. */
import { fits, type ObjectSchema, schemaFaults } from "@titian/contract";
import { ControlError, invalidField } from "./control-error.ts";

/** The body as its schema says; no body at all is an empty object. `description` of a member completes "must be …". */
export function readBody<Value>(schema: ObjectSchema<Value>, body: unknown): Value {
  return readInput(schema, Buffer.isBuffer(body) && body.length > 0 ? parse(body) : {}, "body");
}

/** The query as its schema says; every value is a text. */
export function readQuery<Value>(schema: ObjectSchema<Value>, query: unknown): Value {
  return readInput(schema, query, "query");
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ControlError(400, "invalidJson", "The body is no JSON in UTF-8.");
  }
}

function readInput<Value>(schema: ObjectSchema<Value>, value: unknown, place: "body" | "query"): Value {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ControlError(400, "invalidJson", "The body is no JSON object.");
  }
  const known = Object.keys(schema.properties);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const may = known.length === 0 ? "nothing" : known.join(", ");
    throw invalidField(unknown, `The ${place} of this call has no ${JSON.stringify(unknown)}; it may hold ${may}.`);
  }
  if (fits(schema, value)) return value;
  const [fault] = schemaFaults(schema, value);
  const field = String(fault?.path[0]);
  const { description = "valid" } = schema.properties[field] ?? {};
  if (fault?.kind === "missing" && fault.path.length === 1) {
    throw invalidField(field, `${field} is missing: give ${description}.`);
  }
  throw invalidField(field, `${field} must be ${description}.`);
}
