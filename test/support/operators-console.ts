/** Operators' access over real sockets: a bank with operators whom an identity provider knows, its door, and calls about acts behind it. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { actCalls } from "../../packages/control/src/acts/act-calls.ts";
import type { ConsoleSettings } from "../../packages/server/src/config/console.ts";
import { createOperatorAccess } from "../../packages/control/src/operators/operator-access.ts";
import { actsOf } from "../../packages/control/src/production/production-calls.ts";
import { answerError } from "../../packages/control/src/rows/answer-error.ts";
import type { OperatorAccess } from "../../packages/control/src/sessions/operator.ts";
import { serveCalls } from "../../packages/control/src/rows/serve-calls.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import type { SecurityEvent, SecurityFacts } from "../../packages/server/src/observability/security/security-event.ts";
import { asOperator } from "../../packages/server/src/store/postgres/as-operator.ts";
import type { Core } from "../../packages/server/src/compose/core.ts";
import { createAdminPool, type StatementPool } from "../../packages/server/src/store/postgres/connect.ts";
import { door, useBank } from "./database/operators.ts";
import { roleUrlsOf } from "./database/template.ts";
import { runStatements } from "./database/with-client.ts";
import { client, startIdentityProvider } from "./identity-provider.ts";
import { startPlainCore } from "./plain-core.ts";

/** A bank whose operators the identity provider knows, for a console at `url`. */
export async function useOperatorsBank(ownerUrl: string, url: string) {
  const provider = await startIdentityProvider(`${url}/operators/callback`);
  const bank = await useBank(ownerUrl);
  await bank.hire("operator", "approver");
  await bank.openDoor();
  await runStatements(bank.ownerUrl, [`update operators set issuer = '${provider.issuer}'`]);
  return { provider, bank };
}

/** `settings`: other than those that work. */
export async function startOperatorsConsole(ownerUrl: string, settings: Partial<ConsoleSettings> = {}) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { provider, bank } = await useOperatorsBank(ownerUrl, url);
  const core = await startPlainCore(roleUrlsOf(bank.url).url);
  const database = createAdminPool(bank.urlOf(door), 3);
  const events: (SecurityFacts & { readonly event: SecurityEvent })[] = [];
  const lines: string[] = [];
  let aheadMs = 0;
  const { issuer } = provider;
  const access = createOperatorAccess({
    settings: {
      databaseUrl: bank.urlOf(door),
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      secondFactor: { claim: "amr", values: ["otp", "hwk"] },
      url,
      ...settings,
    },
    database,
    actsOf,
    secrets: createSecrets({ current: randomBytes(32) }),
    clock: { real: () => createClock().real() + aheadMs },
    log: createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } }),
    security: { add: (event, _share, facts) => void events.push({ event, ...facts() }) },
  });
  await serveThem(server, access, database, core);
  return {
    url,
    provider,
    bank,
    events,
    lines,
    moveClock: (ms: number) => {
      aheadMs = ms;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await provider[Symbol.asyncDispose]();
      await database.end();
      await core[Symbol.asyncDispose]();
      await bank[Symbol.asyncDispose]();
    },
  };
}

/** The login, and calls about acts as a production node mounts them. */
async function serveThem(server: Server, access: OperatorAccess, database: StatementPool, core: Core): Promise<void> {
  const app = Fastify({ serverFactory: (handler) => server.on("request", handler) });
  app.register(access.routes, { prefix: "/operators" });
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => answerError(() => undefined, error, request, reply));
      await access.protect(scope);
      const secrets = new WeakMap<object, string>();
      scope.addHook("preHandler", async (request) => {
        secrets.set(request, (await access.sessions.find(request))?.sessionSecret ?? "");
      });
      serveCalls(scope, actCalls, (request) => ({
        database: asOperator(database, secrets.get(request) ?? ""),
        queries: core,
      }));
    },
    { prefix: "/control" },
  );
  await app.ready();
}
