/** Step 1: the operation of a request (spec D1). Paths are prepared once. */
import type { IncomingMessage } from "node:http";
import type { OperationName, OperationRow } from "@titian/contract";
import { operationRows } from "@titian/contract";
import type { Handler } from "../call.ts";
import { type AnswerForm, createAnswerForm } from "./answer.ts";
import { Histogram } from "../observability/histogram.ts";

export interface Route {
  readonly operation: OperationRow;
  readonly answers: AnswerForm;
  /** Seconds from head to response, of authenticated requests. */
  readonly durations: Histogram;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** Absent for a pending operation: 405xx00 once the call is known to be valid. */
  readonly handler: Handler | undefined;
}

interface RoutesOptions {
  readonly pathPrefixes: readonly string[];
  readonly versions: readonly string[];
  readonly handlers: Readonly<Partial<Record<OperationName, Handler>>>;
  readonly bodyLimit: number;
  readonly bulkBodyLimit: number;
}

export type Routes = ReadonlyMap<string, Route>;

const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A route per prefix, version and operation that partners call, by path. All of an operation share one. */
export function createRoutes(options: RoutesOptions): Routes {
  const routes = new Map<string, Route>();
  for (const operation of operationRows) {
    if (operation.direction !== "toProvider") continue;
    const route = {
      operation,
      answers: createAnswerForm(operation),
      durations: new Histogram(durationBounds),
      bodyLimit: takesBulk(operation, options) ? options.bulkBodyLimit : options.bodyLimit,
      handler: options.handlers[operation.name],
    };
    for (const prefix of options.pathPrefixes) {
      for (const version of options.versions) routes.set(`${prefix}/${version}/${operation.path}`, route);
    }
  }
  return routes;
}

/** Large bodies are read only for implemented operations: they are read before authentication ends. */
function takesBulk({ name }: OperationRow, { handlers }: RoutesOptions): boolean {
  return name === "interbankBulkTransfer" && handlers[name] !== undefined;
}

/**
 * A request's path and query as it is routed and signed: slashes at its start count as one (spec D1), because an
 * address with a slash at its end makes some clients send two and sign one.
 */
export function targetOf({ url = "" }: IncomingMessage): string {
  return url.startsWith("//") ? url.replace(/^\/+/, "/") : url;
}

/** The route of a request's target; a query does not belong to the path. */
export function findRoute(routes: Routes, target: string): Route | undefined {
  const route = routes.get(target);
  if (route !== undefined) return route;
  const query = target.indexOf("?");
  return query === -1 ? undefined : routes.get(target.slice(0, query));
}
