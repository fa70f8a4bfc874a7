/** `GET /openapi.json`. */
import {
  createOpenApi,
  type OpenApiDocument,
  type OperationRow,
  operationRows,
  type ServedPaths,
  writeOpenApi,
} from "@titian/contract";
import type { FastifyInstance } from "fastify";

/** The parts of the document that the contract does not tell. */
export interface DocumentSource {
  /** Operations with the examples to show. They are asked for again each second; absent: the contract's, for ever. */
  rows?(): Promise<readonly OperationRow[]>;
  /** The address that calls go to, as its reader asked with this Host header; undefined: the document names none. */
  serverUrl(host: string | undefined): string | undefined;
}

/** The document of the first prefix and version. */
export async function makeDocument(
  { prefixes, versions }: ServedPaths,
  { rows = async () => operationRows }: Pick<DocumentSource, "rows">,
  serverUrl?: string,
): Promise<OpenApiDocument> {
  const place = { pathPrefix: prefixes[0] ?? "", version: versions[0] ?? "v1.0" };
  return createOpenApi({ ...place, rows: await rows(), serverUrl });
}

export function serveOpenApi(app: FastifyInstance, paths: ServedPaths, source: DocumentSource): void {
  app.get("/openapi.json", async ({ headers }, reply) => {
    const document = await makeDocument(paths, source, source.serverUrl(headers.host));
    return reply.type("application/json; charset=utf-8").send(writeOpenApi(document));
  });
}
