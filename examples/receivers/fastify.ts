/** Fastify. It parses bodies before a handler runs; in this plugin it leaves them to the receiver. */
import { fastify } from "fastify";
import { receiver } from "./receiver.ts";

const app = fastify();
await app.register(async (notifications) => {
  notifications.removeAllContentTypeParsers();
  notifications.addContentTypeParser("*", (_request, _body, done) => done(null));
  notifications.post("/notifications/*", (request, reply) => {
    reply.hijack();
    receiver.nodeListener(request.raw, reply.raw);
  });
});
await app.listen({ port: Number(process.env["PORT"] ?? 8080) });

export const { server } = app;
