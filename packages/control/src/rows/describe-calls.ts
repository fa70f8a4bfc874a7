/** `GET /openapi.json`: the calls that are mounted beside it, as a document. */
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

const description = [
  "JSON in and out, with `Authorization: Bearer` and the controlToken of sandbox.json, or a session of the console. Amounts",
  "are decimal texts; times are ISO 8601 with +07:00. A call that cannot be carried out answers `{error: {code, message,",
  "field}}`. `x-access` says whether a call reads or acts, `x-role` who makes it where operators have roles.",
].join(" ");

/** To be called before the calls are mounted. */
export async function describeCalls(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Titian: control calls", version: "1", description },
      components: { securitySchemes: { controlToken: { type: "http", scheme: "bearer" } } },
      security: [{ controlToken: [] }],
    },
  });
  // It needs no token: written once, whoever asks how often.
  let text: string | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, (_request, reply) =>
    reply.type("application/json; charset=utf-8").send((text ??= JSON.stringify(app.swagger()))),
  );
}

/** The document is public, as the sources are: it says nothing of what there is. */
export const isDescription = (url: string | undefined) => url?.endsWith("/openapi.json") === true;
