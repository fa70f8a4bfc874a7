/** The console of a production node: operators' calls, their login, and the pages, where metrics are (ADR 0078). */
import type { Extension, ServiceParts } from "@titian/server";
import type { Core } from "@titian/server/admin";
import { consoleDirectory, createConsoleRoutes } from "../sessions/serve-console.ts";
import type { OperatorAccess } from "../sessions/operator.ts";
import { type ConsoleConnections, createProductionRoutes } from "./production-routes.ts";

/** Disposed of with the service. */
export interface OpenConsole extends AsyncDisposable {
  readonly connections: ConsoleConnections;
  readonly access: OperatorAccess;
}

/** `open`: begins when everything works but the listeners. */
export function productionConsole(open: (core: Core) => Promise<OpenConsole>): Pick<Extension, "start"> {
  return {
    start: async ({ core, security }: ServiceParts) => {
      const opened = await open(core);
      const { connections, access } = opened;
      return {
        routes: {},
        managementRoutes: {
          "/control": createProductionRoutes({ core, connections, access, security }),
          "/operators": access.routes,
          "/": createConsoleRoutes({ directory: consoleDirectory() }),
        },
        onListening: () => undefined,
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  };
}
