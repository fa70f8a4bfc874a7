/** Mounts calls: each row becomes a route of Fastify, with the contract's schemas read and written by our own compilers. */
import { fits, type ObjectSchema, type Schema, schemaFaults } from "@titian/contract";
import { AdminError, homeCell, isDatabaseAway } from "@titian/server/admin";
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from "fastify";
import { ControlError, invalidField } from "../control-error.ts";
import type { AnyCall, Exchange } from "./define-call.ts";
import type { Mask } from "./mask.ts";
import { cellMember, type ControlCells, isOfHome, placeCall } from "./place-call.ts";
import { writeAnswer } from "./write-answer.ts";

/** Most bytes of a body. */
export const bodyLimit = 65_536;

export interface CallHooks<Deps> {
  /** Comes before the input is read. @throws ControlError where the caller may not make the call */
  readonly admit?: (call: AnyCall<Deps>, request: FastifyRequest) => void;
  /** Told of each call that reads, before it is made. */
  readonly onRead?: ((call: AnyCall<Deps>, request: FastifyRequest) => void) | undefined;
  /** Mask of the personal data in an answer; undefined: it is shown. */
  readonly maskOf?: (call: AnyCall<Deps>, request: FastifyRequest) => Promise<Mask | undefined>;
  /** Undefined: calls are for one database. */
  readonly cells?: ControlCells | undefined;
}

/** `depsOf`: of the request's caller, in a cell. @throws where the cell cannot be asked */
export function serveCalls<Deps>(
  app: FastifyInstance,
  calls: readonly AnyCall<Deps>[],
  depsOf: (request: FastifyRequest, cell: number) => Deps,
  { admit, onRead, maskOf, cells }: CallHooks<Deps> = {},
): void {
  // Read by each call itself: a body may be left out, and so may its Content-Type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, async (_request: unknown, body: unknown) => body);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const call of calls) {
    app.route({
      method: call.method,
      url: call.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      schema: schemaOf(call, cells?.isChosen === true),
      onRequest: async (request) => admit?.(call, request),
      // The compiler above has checked that query and body are of the row's schemas.
      handler: async (request, reply) => {
        if (call.access === "read") onRead?.(call, request);
        const found = await runPlaced(call, cells, { request, reply }, (cell) => depsOf(request, cell));
        const [{ answer }, mask] = [call, await maskOf?.(call, request)];
        if (answer === undefined || mask === undefined) return found;
        reply.type("application/json; charset=utf-8");
        reply.serializer((shown: unknown) => JSON.stringify(writeAnswer(answer, shown, mask)));
        return found;
      },
    });
  }
}

/** In its cell, in home, or in all of them. */
async function runPlaced<Deps>(
  call: AnyCall<Deps>,
  cells: ControlCells | undefined,
  exchange: Exchange,
  depsOf: (cell: number) => Deps,
): Promise<unknown> {
  const { params, body } = exchange.request;
  const { cell: _cell, ...query } = exchange.request.query as { readonly cell?: string };
  const runIn = async (cell: number) => {
    try {
      return await call.run({ params, query, body } as never, depsOf(cell), exchange);
    } catch (error) {
      if (cell !== homeCell && error instanceof ControlError) error.nameCell(cell);
      throw cell !== homeCell && isDatabaseAway(error) ? new AdminError(cellAway(cell), { cause: error }) : error;
    }
  };
  if (cells === undefined) return runIn(homeCell);
  const place = placeCall(call, exchange.request, cells);
  const all = cells.numbers();
  if (place !== undefined || call.join === undefined || all.length === 1) return runIn(place ?? homeCell);
  return call.join((await Promise.all(all.map(runIn))) as never[]);
}

const cellAway = (cell: number) =>
  `The database of cell ${cell} does not answer. Whether the call took effect is unknown: look when it answers again, or repeat the call.`;

function schemaOf(call: AnyCall, hasCells: boolean): FastifySchema {
  const { method, query, body, answer } = call;
  return {
    querystring: hasCells && !isOfHome(call) ? withCell(query) : query,
    ...(method !== "GET" && { body }),
    ...(answer !== undefined && { response: { 200: answer } }),
  };
}

/** As a call takes it where there are cells. */
export const withCell = (query: ObjectSchema): ObjectSchema => ({
  ...query,
  properties: { ...query.properties, cell: cellMember },
});

const serializerCompiler: FastifySerializerCompiler<Schema> =
  ({ schema }) =>
  (found) =>
    JSON.stringify(writeAnswer(schema, found));

const validatorCompiler: FastifySchemaCompiler<ObjectSchema> =
  ({ schema, httpPart }) =>
  (given: unknown) => {
    try {
      return { value: httpPart === "body" ? readBody(schema, given) : readMembers(schema, given, "query") };
    } catch (error) {
      if (error instanceof ControlError) return { error };
      throw error;
    }
  };

/** No body at all is an empty object. */
function readBody(schema: ObjectSchema, body: unknown): object {
  return readMembers(schema, Buffer.isBuffer(body) && body.length > 0 ? parse(body) : {}, "body");
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ControlError(400, "invalidJson", "The body is no JSON in UTF-8.");
  }
}

/** Strictly: what the schema does not say is rejected, by name. */
function readMembers(schema: ObjectSchema, value: unknown, place: "body" | "query"): object {
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
