/** `GET /openapi.json` and the documentation pages under `/docs`, which load nothing from elsewhere. */
import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { OpenApiDocument } from "@titian/contract";
import type { FastifyInstance } from "fastify";

export async function serveDocs(app: FastifyInstance, openApi: OpenApiDocument): Promise<void> {
  if (!isDocument(openApi)) throw new Error("The OpenAPI document has no version or no paths.");
  const text = JSON.stringify(openApi);
  app.get("/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(text));
  await app.register(swagger, { mode: "static", specification: { document: openApi } });
  await app.register(swaggerUi, { routePrefix: "/docs", staticCSP: true });
}

function isDocument(value: object): value is StaticDocumentSpec["document"] {
  return "openapi" in value && "info" in value && "paths" in value;
}
