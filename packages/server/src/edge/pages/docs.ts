/** The documentation pages under `/docs`, which load nothing from elsewhere. */
import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { OpenApiDocument } from "@titian/contract";
import type { FastifyInstance } from "fastify";

/** Document of another interface, served elsewhere. */
export interface ShownDocument {
  readonly name: string;
  readonly url: string;
}

export async function serveDocs(
  app: FastifyInstance,
  openApi: OpenApiDocument,
  others: readonly ShownDocument[] = [],
): Promise<void> {
  if (!isDocument(openApi)) throw new Error("The OpenAPI document has no version or no paths.");
  await app.register(swagger, { mode: "static", specification: { document: openApi } });
  const urls = [{ name: "SNAP BI", url: "/openapi.json" }, ...others];
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    ...(others.length > 0 && { uiConfig: { urls } }),
  });
}

function isDocument(value: object): value is StaticDocumentSpec["document"] {
  return "openapi" in value && "info" in value && "paths" in value;
}
