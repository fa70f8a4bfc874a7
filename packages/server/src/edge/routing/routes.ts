/** Step 1: the operation of a request (spec D1). Paths are prepared once. */
import type { IncomingMessage } from "node:http";
import {
  type OperationName,
  type OperationRow,
  isServedRoot,
  type ServedPaths,
  splitPath,
  suffixesOf,
} from "@titian/contract";
import type { Handler } from "../../interfaces/call.ts";
import { type ResponseForm, createResponseForm } from "../responses/response-form.ts";
import { Histogram } from "../../observability/histogram.ts";

export interface Route {
  readonly operation: OperationRow;
  readonly responseForm: ResponseForm;
  /** Seconds from head to response, of authenticated requests. */
  readonly durations: Histogram;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** Absent for a pending operation: 405xx00 once the call is known to be valid. */
  readonly handler: Handler | undefined;
}

interface RoutesOptions {
  readonly paths: ServedPaths;
  readonly handlers: Readonly<Partial<Record<OperationName, Handler>>>;
  readonly bodyLimit: number;
  readonly bulkBodyLimit: number;
}

export interface Routes {
  readonly all: readonly Route[];
  /** The route of a path without query. */
  at(path: string): Route | undefined;
}

const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A route for each operation that partners call, whatever prefix, version and alias it is called by. */
export function createRoutes(options: RoutesOptions): Routes {
  const { paths, handlers } = options;
  const { prefixes, versions, anyRoot = false } = paths;
  const routes = new Map<OperationName, Route>();
  const bySuffix = new Map<string, Route>();
  for (const [suffix, operation] of suffixesOf(paths.aliases)) {
    const route = routes.get(operation.name) ?? {
      operation,
      responseForm: createResponseForm(operation),
      durations: new Histogram(durationBounds),
      bodyLimit: takesBulk(operation, options) ? options.bulkBodyLimit : options.bodyLimit,
      handler: handlers[operation.name],
    };
    routes.set(operation.name, route);
    bySuffix.set(suffix, route);
  }
  const listed = new Map<string, Route>();
  for (const [suffix, route] of bySuffix) {
    for (const prefix of prefixes) {
      for (const version of versions) listed.set(`${prefix}/${version}/${suffix}`, route);
    }
  }
  const atAnyRoot = (path: string): Route | undefined => {
    const parts = splitPath(path);
    return parts && isServedRoot(parts, paths) ? bySuffix.get(parts.suffix) : undefined;
  };
  return { all: [...routes.values()], at: (path) => listed.get(path) ?? (anyRoot ? atAnyRoot(path) : undefined) };
}

/** Large bodies are read only for implemented operations: they are read before authentication ends. */
function takesBulk({ name, about }: OperationRow, { handlers }: RoutesOptions): boolean {
  return about.noun === "bulk" && handlers[name] !== undefined;
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
  const query = target.indexOf("?");
  return routes.at(query === -1 ? target : target.slice(0, query));
}
