/** `GET /openapi.json`: the document of the first prefix and version. */
import { createOpenApi, type OperationRow, operationRows, type ServedPaths, writeOpenApi } from "@titian/contract";
import type { FastifyInstance } from "fastify";

/** The parts of the document that the contract does not tell. */
export interface DocumentSource {
  /** Operations with the examples to show. They are asked for again each second; absent: the contract's, for ever. */
  rows?(): Promise<readonly OperationRow[]>;
  /** The address that calls go to, as its reader asked with this Host header; undefined: the document names none. */
  serverUrl(host: string | undefined): string | undefined;
}

export function serveOpenApi(
  app: FastifyInstance,
  { prefixes, versions }: ServedPaths,
  { rows = async () => operationRows, serverUrl }: DocumentSource,
): void {
  const place = { pathPrefix: prefixes[0] ?? "", version: versions[0] ?? "v1.0" };
  app.get("/openapi.json", async ({ headers }, reply) => {
    const document = createOpenApi({ ...place, rows: await rows(), serverUrl: serverUrl(headers.host) });
    return reply.type("application/json; charset=utf-8").send(writeOpenApi(document));
  });
}
