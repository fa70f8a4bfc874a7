/** `GET /health/live` (the process answers) and `GET /health/ready` (it can take calls): for load balancers and operators. */
import type { FastifyInstance } from "fastify";

export interface Readiness {
  readonly ready: boolean;
  /** Checks and their results, as JSON; no secrets. */
  readonly checks: Readonly<Record<string, unknown>>;
}

export function serveHealth(app: FastifyInstance, readiness: () => Readiness | Promise<Readiness>): void {
  app.get("/health/live", (_request, reply) => reply.send({ status: "live" }));
  app.get("/health/ready", async (_request, reply) => {
    const { ready, checks } = await readiness();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "notReady", checks });
  });
}
