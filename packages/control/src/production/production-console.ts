/** The console of a production node: operators' calls, their login, and the pages, where metrics are (ADR 0078). */
import type { Extension } from "@titian/server";
import { openConsoleConnections } from "@titian/server/admin";
import type { ConsoleSettings } from "@titian/server/config";
import { createOperatorAccess } from "../operators/operator-access.ts";
import { consoleDirectory, createConsoleRoutes } from "../sessions/serve-console.ts";
import { actsOf } from "./production-calls.ts";
import { createProductionRoutes } from "./production-routes.ts";

export function productionConsole(settings: ConsoleSettings): Required<Pick<Extension, "start">> {
  return {
    start: async ({ core, cells, security }) => {
      const connections = await openConsoleConnections(settings.databaseUrl, core.pool);
      const access = createOperatorAccess({ ...core, settings, security, database: connections.database, actsOf });
      return {
        routes: {},
        managementRoutes: {
          "/control": createProductionRoutes({ core, cells, connections, access, security }),
          "/operators": access.routes,
          "/": createConsoleRoutes({ directory: consoleDirectory(), host: "production" }),
        },
        onListening: () => undefined,
        [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
      };
    },
  };
}
