/**
 * The edge: bytes in, bytes out. Requests for an operation take the direct path (`handle-request.ts`), all others are Fastify's.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { type OperationName, type OperationRow, type ServedPaths } from "@titian/contract";
import type { SandboxParts } from "@titian/reference";
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyServerFactoryHandler } from "fastify";
import type { Handler } from "../interfaces/call.ts";
import type { Clock } from "../basics/clock.ts";
import type { ListenerTls, TlsFiles } from "../basics/tls.ts";
import type { Log } from "../observability/log.ts";
import { type AddressList, createAddressList } from "./connections/address-list.ts";
import { type AppOptions, createApp } from "./routing/app.ts";
import { createBodyBudget } from "./connections/bodies/body-budget.ts";
import type { CustomerGrants } from "./authentication/customer-token.ts";
import { createAuthenticationFailures } from "./authentication/authentication-failures.ts";
import type { HttpHandler } from "./connections/connection.ts";
import { type Connections, type ConnectionShares, createConnections } from "./connections/connections.ts";
import { drain } from "./connections/drain.ts";
import { createHandshakes } from "./connections/handshakes.ts";
import { bareEnvelope, unknownPath } from "./responses/bare-envelope.ts";
import { bareExchange, createRouter, createPageHandler, type RouterParts } from "./routing/router.ts";
import { type DocumentSource, serveOpenApi } from "./pages/open-api.ts";
import { type Readiness, serveHealth } from "./pages/health.ts";
import { createHttpServer } from "./connections/http-server.ts";
import type { PartnerDirectory } from "./partner-directory.ts";
import { type MetricsRegistry, serveMetrics } from "../observability/metrics.ts";
import type { CallHooks } from "./call-hooks.ts";
import { createPacer } from "./connections/pacer.ts";
import { createPages } from "./pages/pages.ts";
import { createReferencePages } from "./pages/reference-pages.ts";
import type { Intake } from "./checks/check-capacity.ts";
import { createLookUps } from "./checks/look-ups.ts";
import { type CallerTls, createCallerTls } from "./authentication/caller-tls.ts";
import { createRateLimiter } from "./authentication/rate-limit.ts";
import { observeResponses } from "./routing/response-metrics.ts";
import { createResponder } from "./responses/respond-to-call.ts";
import { createRoutes, type Routes } from "./routing/routes.ts";
import { onlyServedHosts } from "./routing/served-hosts.ts";
import { createResponseSender } from "./responses/response-sender.ts";
import { createRequestHandler } from "./routing/handle-request.ts";
import type { Tokens } from "./authentication/tokens.ts";

export interface EdgeSettings {
  /** Where the main listener is. */
  readonly host: string;
  /** Host names under which the service is called, beside addresses and loopback names. */
  readonly hosts: readonly string[];
  /** True: the main listener has what a browser may act by. */
  readonly sandbox: boolean;
  readonly paths: ServedPaths;
  readonly bodyLimit: number;
  readonly bulkBodyLimit: number;
  readonly timestampWindowMs: number;
  readonly externalIdDigitsOnly: boolean;
  readonly trustedProxies: readonly string[];
  /** Header in which trusted proxies pass a client's certificate on; absent: none is believed. */
  readonly clientCertificateHeader?: string | undefined;
  /** Absent: without TLS. */
  readonly tls?: ListenerTls | undefined;
  /** Accounts that a partner looks up in an hour before the log tells of it. */
  readonly lookUpsAlert: number;
}

export interface EdgeDeps {
  /** A `Config` is one. */
  readonly settings: EdgeSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** A text of a caller without the secrets in it, for the log. */
  readonly hideSecrets: (text: string) => string;
  readonly metrics: MetricsRegistry;
  readonly tokens: Tokens;
  readonly partners: PartnerDirectory;
  readonly customerGrants: CustomerGrants;
  /** An operation without a handler is answered 405xx00. */
  readonly handlers: Readonly<Partial<Record<OperationName, Handler>>>;
  /** Quotas of what is stored of a partner in a day; absent: nobody has a quota. */
  readonly storedQuotas?: Intake["storedQuotas"];
  /** False: writes are answered 503xx00; absent: always true. */
  readonly takesWrites?: () => boolean;
  /** True: the queue would take a write of this partner now; asked before the body is read as JSON. */
  readonly hasCapacity: (partnerKey: string, operation: OperationRow) => boolean;
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** While stopping, between the end of listening and that of connections; absent: nothing to wait for. */
  readonly released?: (() => Promise<void>) | undefined;
  /** Where metrics, health and documentation are served; absent: on the main address. */
  readonly management?: ManagementListener;
  /** Parts of the reference at `/docs` that a sandbox adds; absent: none. */
  readonly sandboxParts?: SandboxParts | undefined;
  /** Examples and address of `/openapi.json`; absent: the contract's examples, and no address. */
  readonly documentSource?: DocumentSource | undefined;
  /** Hooks of an embedding program into calls. */
  readonly hooks?: CallHooks | undefined;
  /** Other than the usual limits of connections. */
  readonly limits?: {
    readonly shares?: ConnectionShares;
    readonly handshakesOfAddress?: number;
    readonly idleWriteMs?: number;
    readonly requestMs?: number;
  };
}

export interface ManagementListener {
  readonly port: number;
  readonly host: string;
  /** True: they are served on the main address too. */
  readonly alsoOnMain: boolean;
}

export interface Edge {
  /** Adds routes under a prefix, before `listen`. The plugin authenticates its callers. */
  mount(prefix: string, plugin: FastifyPluginAsync): void;
  /** As `mount`, where the pages are. */
  mountOnManagement(prefix: string, plugin: FastifyPluginAsync): void;
  /** Starts to listen; port 0 picks a free one. `managementUrl` is where the pages are. */
  listen(port: number, host: string): Promise<{ readonly baseUrl: string; readonly managementUrl: string }>;
  readonly connections: Pick<Connections, "countBusy" | "closeBusy">;
  /** `/health/ready` is computed again at the next request. */
  refreshHealth(): void;
  /**
   * Stops listening and lets running requests finish; each connection is closed with its last response. After `graceMs`
   * it cuts what is left. The management listener answers until then.
   */
  close(graceMs?: number): Promise<void>;
}

const graceMsDefault = 10_000;
/** Backlog of connections: the default maximum of Linux. */
const backlog = 4_096;

export async function createEdge(deps: EdgeDeps): Promise<Edge> {
  const { settings, clock, log, metrics, management, hooks = {} } = deps;
  const callLog = { ...log, hide: deps.hideSecrets };
  const sender = createResponseSender(clock);
  const routes = createRoutes({ ...settings, handlers: deps.handlers });
  const trustedProxies = createAddressList(settings.trustedProxies);
  const pacer = createPacer({ ...deps, trustedProxies });
  const { documentSource: source = { serverUrl: () => undefined }, sandboxParts: sandbox } = deps;
  const pages = createPages(createPagesApp(deps, source), clock, source);
  const reference = await createReferencePages({ paths: settings.paths, source, sandbox, clock });
  const connections = createConnections(deps, trustedProxies, deps.limits?.shares);
  const handshakes = createHandshakes(trustedProxies, deps.limits?.handshakesOfAddress);
  const bodyBudget = createBodyBudget(Math.max(settings.bodyLimit, settings.bulkBodyLimit), clock);
  const responder = createResponder({ ...deps, sender, pacer, trustedProxies, hooks });
  const handleRequest = createRequestHandler({
    ...deps,
    ...settings,
    log: callLog,
    responder,
    faults: hooks.faults,
    connections,
    bodyBudget,
    trustedProxies,
    callerTls: callerTlsOf(deps, trustedProxies),
    failures: createAuthenticationFailures({ ...deps, log: callLog, trustedProxies }),
    rateLimiter: createRateLimiter(),
    lookUps: createLookUps({ ...deps, alertAt: settings.lookUpsAlert }),
  });
  observe(metrics, routes, bodyBudget);

  const open = (handler: HttpHandler, tls: ListenerTls | undefined) =>
    createHttpServer({
      handler,
      connections,
      tls: tls && { ...tls, handshakes },
      ...deps.limits,
      malformedBody: bareEnvelope.badRequest,
      timestamp: () => sender.timestamp(),
    });
  const guards = createHostGuards(deps, { pacer, sender });
  const parts = { clock, responder, pages, reference, pacer, log, routes, handleRequest };
  const { app, servers, managementApp } = createApps(deps, parts, { open, guards });

  return {
    mount: (prefix, plugin) => void app.register(plugin, { prefix }),
    mountOnManagement: (prefix, plugin) => void (managementApp ?? app).register(plugin, { prefix }),
    async listen(port, host) {
      await managementApp?.ready();
      const managementUrl = managementApp && management && (await listenOn(managementApp.server, management));
      const baseUrl = await app.listen({ port, host, backlog });
      return { baseUrl: urlOf(baseUrl, settings), managementUrl: urlOf(managementUrl ?? baseUrl, settings) };
    },
    connections,
    refreshHealth: () => pages.forget(),
    async close(graceMs = graceMsDefault) {
      await drain({ servers, connections, handshakes, clock, graceMs, released: deps.released });
      await app.close();
      await endAll(managementApp);
    },
  };
}

interface Servers {
  open(handler: HttpHandler, tls: ListenerTls | undefined): Server;
  readonly guards: ReturnType<typeof createHostGuards>;
}

/** The app of the main listener with its servers, and that of the management listener, where there is one. */
function createApps(
  { management, settings }: EdgeDeps,
  parts: Omit<RouterParts, "others" | "servesPages">,
  { open, guards }: Servers,
) {
  const { responder, clock, log } = parts;
  // `localhost` has two addresses, and Fastify makes a server for each.
  const servers: Server[] = [];
  const options: Omit<AppOptions, "createServer"> = {
    log,
    trustedProxies: settings.trustedProxies,
    sendUnknownPath: (request, response) => responder.inTurn(bareExchange(request, response, clock), unknownPath),
  };
  const app = createApp({
    ...options,
    createServer: (others) => {
      const servesPages = management === undefined || management.alsoOnMain;
      const server = open(guards.main(createRouter({ ...parts, others, servesPages })), settings.tls);
      servers.push(server);
      return server;
    },
  });
  const openManagement = (others: FastifyServerFactoryHandler) =>
    open(guards.management(createPageHandler({ ...parts, others })), filesOf(settings.tls));
  return { app, servers, managementApp: management && createApp({ ...options, createServer: openManagement }) };
}

/** Partners' certificates and exceptions are the main listener's. */
function filesOf(tls: ListenerTls | undefined): TlsFiles | undefined {
  return tls && { cert: tls.cert, key: tls.key };
}

function callerTlsOf({ settings, log }: EdgeDeps, trustedProxies: AddressList): CallerTls {
  return createCallerTls({
    trustedProxies,
    certificateHeader: settings.clientCertificateHeader,
    acceptsTls12: settings.tls?.minVersion === "1.2",
    onTls12: (partner) =>
      log.warn("partner.tls12", "TLS 1.2 is permitted for a partner's calls.", { partner, setting: "tlsMin" }),
  });
}

async function endAll(app: FastifyInstance | undefined): Promise<void> {
  app?.server.close();
  app?.server.closeAllConnections();
  await app?.close();
}

/** Partners are no browsers, and a proxy may call the main listener by any name until the names are set. */
function createHostGuards({ settings, management }: EdgeDeps, parts: Parameters<typeof onlyServedHosts>[2]) {
  const { hosts, host, sandbox } = settings;
  const names = [...hosts, host, ...(management ? [management.host] : [])];
  const guard = (handler: HttpHandler) => onlyServedHosts(handler, names, parts);
  const leave = (handler: HttpHandler) => handler;
  return { main: sandbox || hosts.length > 0 ? guard : leave, management: guard };
}

/** Address with its scheme: Fastify does not know that the server which it was given speaks TLS. */
function urlOf(address: string, { tls }: EdgeSettings): string {
  return tls ? address.replace(/^http:/, "https:") : address;
}

function observe(
  metrics: MetricsRegistry,
  routes: Routes,
  { bytes, waiting }: ReturnType<typeof createBodyBudget>,
): void {
  observeResponses(metrics, routes.all);
  metrics.gauge({ name: "titian_http_unfinished_body_bytes", help: "Bytes of incomplete request bodies." }, bytes);
  const help = "Request bodies that wait for room in a partner's share.";
  metrics.gauge({ name: "titian_http_waiting_bodies", help }, waiting);
}

/** @throws the system's error when the address cannot be used. */
async function listenOn(server: Server, { port, host }: ManagementListener): Promise<string> {
  server.listen({ port, host, backlog });
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
}

/** Makes the pages. It listens nowhere. */
function createPagesApp({ readiness, metrics, settings }: EdgeDeps, source: DocumentSource): FastifyInstance {
  const app = Fastify({ logger: false });
  serveHealth(app, readiness);
  serveMetrics(app, metrics);
  serveOpenApi(app, settings.paths, source);
  return app;
}
