/** Operators' calls as a production node serves them, over real sockets; each operator has a session that the test opens at the console's door. */
import { randomBytes } from "node:crypto";
import type { Role } from "@titian/control";
import { type Core, openConsoleConnections, openOperatorSession, type SecurityLog } from "@titian/server/admin";
import Fastify from "fastify";
import { createOperatorAccess } from "../../packages/control/src/operators/operator-access.ts";
import { actsOf } from "../../packages/control/src/production/production-calls.ts";
import {
  createProductionRoutes,
  type ProductionRoutesDeps,
} from "../../packages/control/src/production/production-routes.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { door, issuer, type useBank } from "./database/operators.ts";
import { runStatements } from "./database/with-client.ts";

export interface ProductionAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly message: string; readonly field?: string; readonly actId?: string };
  };
}

export interface ProductionCalls extends AsyncDisposable {
  /** `by`: the subject of an operator; undefined: nobody. */
  call(by: string | undefined, method: string, path: string, body?: unknown): Promise<ProductionAnswer>;
}

interface ProductionOptions {
  readonly core: Core;
  /** Absent: home alone. */
  readonly cells?: ProductionRoutesDeps["cells"];
  readonly bank: Awaited<ReturnType<typeof useBank>>;
  /** Operators who are hired here, beside those that the bank has: by subject. */
  readonly hired: Readonly<Record<string, Role>>;
  /** Subjects of all who come in. */
  readonly subjects: readonly string[];
  readonly security: SecurityLog;
}

export async function startProductionCalls(options: ProductionOptions): Promise<ProductionCalls> {
  const { core, cells, bank, hired, subjects, security } = options;
  await bank.openDoor();
  await runStatements(
    bank.ownerUrl,
    Object.entries(hired).flatMap(([subject, role]) => {
      const id = newId();
      return [
        `insert into operators values ('${id}', '${issuer}', '${subject}', '${subject}')`,
        `insert into operator_roles values ('${id}', '${role}')`,
      ];
    }),
  );
  const databaseUrl = bank.urlOf(door);
  const connections = await openConsoleConnections(databaseUrl, core.pool);
  const { database } = connections;
  const secrets = new Map(subjects.map((subject) => [subject, randomBytes(32).toString("base64url")]));
  for (const [subject, secret] of secrets) {
    const session = { issuer, subject, secret, cameBy: "cli", address: "127.0.0.1", hasSecondFactor: true } as const;
    const { knownAs } = await openOperatorSession(database, session);
    if (knownAs !== "active") throw new Error(`${subject} is ${knownAs}`);
  }
  // Nobody logs in at it here.
  const provider = { issuer, clientId: "titian", clientSecret: "none", secondFactor: { claim: "amr", values: [] } };
  const settings = { ...provider, databaseUrl, url: "https://console.bank.example" };
  const access = createOperatorAccess({ ...core, settings, database, security, actsOf });
  const app = Fastify({ logger: false });
  app.register(createProductionRoutes({ core, cells, connections, access, security }), { prefix: "/control" });
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    async call(by, method, path, body) {
      const response = await fetch(`${baseUrl}/control${path}`, {
        method,
        headers: {
          ...(by !== undefined && { authorization: `Bearer ${secrets.get(by)}` }),
          "content-type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as ProductionAnswer["body"] };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await connections[Symbol.asyncDispose]();
    },
  };
}
