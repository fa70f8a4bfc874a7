/** The OpenAPI 3.1 document of calls, written from their rows. */
import type { ObjectSchema, Schema } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import type { AnyCall } from "./define-call.ts";
import { isOfHome } from "./place-call.ts";
import { withCell } from "./serve-calls.ts";

const introduction = [
  "JSON in and out, with `Authorization: Bearer` and the controlToken of sandbox.json, or a session of the console. Amounts",
  "are decimal texts; times are ISO 8601 with +07:00. A call that cannot be carried out answers `{error: {code, message,",
  "field, actId, cell}}`; 202 waitsForApproval: nothing is wrong, and nothing was done yet. `x-access` says whether a call reads or acts, `x-role` who makes it where operators have roles.",
].join(" ");

/** Mounts `GET /openapi.json`: the document of the calls that are mounted beside it. `hasCells`: they may name a cell. */
export function describeCalls(app: FastifyInstance, calls: readonly AnyCall[], hasCells: boolean): void {
  // It needs no token: written once, whoever asks how often.
  let text: string | undefined;
  app.get("/openapi.json", (_request, reply) =>
    reply
      .type("application/json; charset=utf-8")
      .send((text ??= JSON.stringify(documentOf(calls, app.prefix, hasCells)))),
  );
}

/** The document is public, as the sources are: it says nothing of what there is. */
export const isDescription = (url: string | undefined) => url?.endsWith("/openapi.json") === true;

function documentOf(calls: readonly AnyCall[], mount: string, hasCells: boolean): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const call of calls) {
    const path = (paths[`${mount}${call.path}`] ??= {});
    const query = hasCells && !isOfHome(call) ? withCell(call.query) : call.query;
    path[call.method.toLowerCase()] = describe({ ...call, query });
  }
  return {
    openapi: "3.1.0",
    info: { title: "Titian: control calls", version: "1", description: introduction },
    components: { schemas: {}, securitySchemes: { controlToken: { type: "http", scheme: "bearer" } } },
    paths,
    security: [{ controlToken: [] }],
  };
}

function describe({ name, method, path, access, role, does, query, body, answer }: AnyCall): object {
  const parameters = [...queryParameters(query), ...pathParameters(path)];
  return {
    operationId: name.replaceAll(" ", "-"),
    tags: [name.split(" ")[0] ?? name],
    description: does,
    ...(parameters.length > 0 && { parameters }),
    ...(method !== "GET" && { requestBody: { required: true, content: jsonOf(body) } }),
    responses: { 200: { description: "Default Response", ...(answer !== undefined && { content: jsonOf(answer) }) } },
    "x-access": access,
    "x-role": role,
  };
}

const jsonOf = (schema: Schema) => ({ "application/json": { schema } });

function queryParameters({ properties, required }: ObjectSchema): object[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function pathParameters(path: string): object[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}
