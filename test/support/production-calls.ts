/** Operators' calls as a production node serves them, over real sockets, for operators whom the test names by a token. */
import { type CallingOperator, ControlError, type Role } from "@titian/control";
import type { Core, SecurityLog } from "@titian/server/admin";
import Fastify from "fastify";
import { createProductionRoutes } from "../../packages/control/src/production/production-routes.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { issuer } from "./database/operators.ts";

export interface TestOperator {
  readonly subject: string;
  readonly roles: readonly Role[];
  /** Address of the database as the operator's own role. */
  readonly url: string;
}

export interface ProductionAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: { readonly message: string } };
}

export interface ProductionCalls extends AsyncDisposable {
  /** `by`: the subject of an operator; undefined: nobody. */
  call(by: string | undefined, method: string, path: string, body?: unknown): Promise<ProductionAnswer>;
}

interface ProductionOptions {
  readonly core: Core;
  /** Address of the database for reads. */
  readonly url: string;
  readonly operators: readonly TestOperator[];
  readonly security?: SecurityLog;
}

export async function startProductionCalls(options: ProductionOptions): Promise<ProductionCalls> {
  const { core, url, operators, security } = options;
  const reads = createReadPool(url, 4);
  const pools = new Map([...new Set(operators.map((one) => one.url))].map((one) => [one, createAdminPool(one, 2)]));
  const poolOf = (secret: string) => {
    const pool = pools.get(operators.find(({ subject }) => subject === secret)?.url ?? "");
    if (pool === undefined) throw new Error(`no operator has the session ${secret}`);
    return pool;
  };
  const find = (authorization: string | undefined): CallingOperator | undefined => {
    const found = operators.find(({ subject }) => authorization === `Bearer ${subject}`);
    if (found === undefined) return undefined;
    const { subject, roles } = found;
    return { id: subject, issuer, subject, name: subject, roles, sessionSecret: subject, hasSecondFactor: true };
  };
  const app = Fastify({ logger: false });
  app.register(
    createProductionRoutes({
      core,
      connections: { reads, databaseOf: poolOf },
      access: {
        sessions: { find: async ({ headers }) => find(headers.authorization) },
        protect: async (scope) => {
          scope.addHook("onRequest", async ({ headers }) => {
            if (find(headers.authorization) === undefined)
              throw new ControlError(401, "unauthorized", "Sign in first.");
          });
        },
      },
      security,
    }),
    { prefix: "/control" },
  );
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    async call(by, method, path, body) {
      const response = await fetch(`${baseUrl}/control${path}`, {
        method,
        headers: { ...(by !== undefined && { authorization: `Bearer ${by}` }), "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as ProductionAnswer["body"] };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await Promise.all([reads, ...pools.values()].map((pool) => pool.end()));
    },
  };
}
