/**
 * The edge: bytes in, bytes out. Requests for an operation take the direct path (`serve.ts`), all others are Fastify's.
 * What it needs to know is handed in, and it decides nothing that belongs to an operation.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { createOpenApi, type OpenApiDocument, type OperationName } from "@titian/contract";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Handler } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { createAddressList } from "./address-list.ts";
import { createApp } from "./app.ts";
import { bareEnvelope } from "./bare-envelope.ts";
import { createBodyBudget } from "./body-budget.ts";
import type { CustomerGrants } from "./customer-token.ts";
import { createDispatch, mayContinue, unknownPath } from "./dispatch.ts";
import { serveDocs } from "./docs.ts";
import { type Readiness, serveHealth } from "./health.ts";
import { createHttpServer } from "./http-server.ts";
import type { PartnerDirectory } from "./identify.ts";
import { type MetricsRegistry, type Sample, serveMetrics } from "./metrics.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { createRoutes, type Routes } from "./routes.ts";
import { createSender } from "./send.ts";
import { createServe } from "./serve.ts";
import type { Tokens } from "./tokens.ts";

export interface EdgeSettings {
  /** The first is announced. */
  readonly pathPrefixes: readonly string[];
  readonly versions: readonly string[];
  readonly bodyLimit: number;
  readonly bulkBodyLimit: number;
  readonly timestampWindowMs: number;
  readonly externalIdDigitsOnly: boolean;
  readonly trustedProxies: readonly string[];
}

interface EdgeDeps {
  /** A `Config` is one. */
  readonly settings: EdgeSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: MetricsRegistry;
  readonly tokens: Tokens;
  readonly partners: PartnerDirectory;
  readonly customerGrants: CustomerGrants;
  /** An operation without a handler is answered 405xx00. */
  readonly handlers: Readonly<Partial<Record<OperationName, Handler>>>;
  /** Whether the queue would take a write of this partner now; asked before the body is read as JSON. */
  readonly hasRoom: (partnerKey: string) => boolean;
  readonly readiness: () => Readiness | Promise<Readiness>;
}

export interface Edge {
  /** For tests and for what `mount` cannot do. */
  readonly app: FastifyInstance;
  /** Adds routes under a prefix, before `listen`. Who may call them is the plugin's business. */
  mount(prefix: string, plugin: FastifyPluginAsync): void;
  /** Starts to listen; port 0 picks a free one. Returns the base URL. */
  listen(port: number, host: string): Promise<string>;
  /** Stops listening, lets running requests finish for at most `graceMs`, then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

const graceMsDefault = 10_000;

export async function createEdge(deps: EdgeDeps): Promise<Edge> {
  const { settings, clock, log } = deps;
  const sender = createSender(clock);
  const routes = createRoutes({ ...settings, handlers: deps.handlers });
  const serve = createServe({
    clock,
    log,
    sender,
    tokens: deps.tokens,
    partners: deps.partners,
    customerGrants: deps.customerGrants,
    hasRoom: deps.hasRoom,
    bodyBudget: createBodyBudget(),
    rateLimiter: createRateLimiter(),
    trustedProxies: createAddressList(settings.trustedProxies),
    timestampWindowMs: settings.timestampWindowMs,
    externalIdDigitsOnly: settings.externalIdDigitsOnly,
  });
  // `localhost` has two addresses, and Fastify makes a server for each.
  const servers: Server[] = [];
  const app = createApp({
    log,
    sendUnknownPath: (response) => sender.send(response, unknownPath),
    createServer: (others) => {
      const server = createHttpServer({
        handler: createDispatch({ routes, serve, sender, others, log }),
        mayContinue: (request) => mayContinue(routes, request),
        malformedBody: bareEnvelope.badRequest,
        timestamp: () => sender.timestamp(),
      });
      servers.push(server);
      return server;
    },
  });
  serveHealth(app, deps.readiness);
  serveMetrics(app, deps.metrics);
  await serveDocs(app, describe(settings, routes));
  countAnswers(deps.metrics, routes);

  return {
    app,
    mount: (prefix, plugin) => void app.register(plugin, { prefix }),
    listen: (port, host) => app.listen({ port, host }),
    async close(graceMs = graceMsDefault) {
      sender.closeConnections();
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      const closed = servers.filter((server) => server.listening).map((server) => once(server, "close"));
      await app.close();
      await Promise.all(closed);
      clearTimeout(cut);
    },
  };
}

/** The document of the first version served; operations still to come are described as such. */
function describe({ pathPrefixes: [pathPrefix = ""], versions }: EdgeSettings, routes: Routes): OpenApiDocument {
  const unsupported = [...routes.values()]
    .filter(({ operation, handler }) => handler === undefined && operation.kind !== "token")
    .map(({ operation }) => operation.name);
  return createOpenApi({ pathPrefix, version: versions[0] ?? "v1.0", unsupported: [...new Set(unsupported)] });
}

function countAnswers(metrics: MetricsRegistry, routes: Routes): void {
  const forms = new Set([...routes.values()].map((route) => route.answers));
  const description = {
    name: "titian_http_answers_total",
    help: "Answers by operation and response case.",
    labels: ["operation", "case"],
  };
  metrics.counter(description, function* (): Generator<Sample> {
    for (const { operation, counts } of forms) {
      for (const [name, value] of counts) yield { labels: { operation: operation.name, case: name }, value };
    }
  });
}
