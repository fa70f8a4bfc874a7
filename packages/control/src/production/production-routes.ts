/**
 * Operators' calls on a production node, mounted where metrics are (ADR 0078): read and propose on connections of the console's role, in
 * the name of the operator whose session it is. What was approved is carried out by the job of a node.
 */
import {
  asOperator,
  type Core,
  homeCell,
  isUnmasked,
  resolveTransfer,
  type SecurityLog,
  type StatementPool,
} from "@titian/server/admin";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { CellCallsDeps } from "../cells/cell-calls.ts";
import { ControlError } from "../control-error.ts";
import type { DatabaseCallsDeps } from "../database-calls.ts";
import { answerError, type CallFailure } from "../rows/answer-error.ts";
import type { Role } from "../rows/define-call.ts";
import { maskBut } from "../rows/mask.ts";
import { noteComparison, noteRead } from "../rows/note-reads.ts";
import { checkRole } from "../rows/roles.ts";
import { listedCells, type ServedCells, serviceOfCell } from "../rows/node-cells.ts";
import { cellOfAccount } from "../rows/place-call.ts";
import { serveCalls } from "../rows/serve-calls.ts";
import type { CallingOperator, OperatorAccess } from "../sessions/operator.ts";
import { productionCalls } from "./production-calls.ts";

/** Connections of the console's role. */
export interface ConsolePools {
  readonly reads: StatementPool;
  readonly database: StatementPool;
}

export interface ProductionRoutesDeps {
  /** Home's. */
  readonly core: Core;
  /** Home and the cells beside it; absent: there are none. */
  readonly cells?: ServedCells | undefined;
  readonly connections: ConsolePools;
  readonly access: Pick<OperatorAccess, "sessions" | "protect">;
  readonly security: SecurityLog | undefined;
}

const answerHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** To be mounted at `/control`. */
export function createProductionRoutes(deps: ProductionRoutesDeps): FastifyPluginAsync {
  const { core, access, security } = deps;
  const callers = new WeakMap<FastifyRequest, CallingOperator>();
  const callerOf = (request: FastifyRequest): CallingOperator => {
    const caller = callers.get(request);
    if (caller === undefined) throw new ControlError(401, "unauthorized", "Sign in first.");
    return caller;
  };
  const report = (failure: CallFailure) =>
    core.log.error("control.call_failed", "A control call failed.", { ...failure });
  return async (app) => {
    app.setErrorHandler((error, request, reply) => answerError(report, error, request, reply));
    app.addHook("onRequest", async (_request, reply) => void reply.headers(answerHeaders));
    await access.protect(app);
    app.addHook("onRequest", async (request) => {
      const caller = await access.sessions.find(request);
      if (caller !== undefined) callers.set(request, caller);
    });
    serveCalls<ProductionDeps>(
      app,
      productionCalls,
      (request, cell) => depsIn(deps, request, callerOf(request), cell),
      {
        cells: listedCells(core),
        admit: (call, request) => {
          checkRole(call, callerOf(request).roles);
          if (security !== undefined) noteComparison(security, identityOf(callerOf(request)), call, request);
        },
        maskOf: async (call, request) => {
          const { roles } = callerOf(request);
          const identity = identityOf(callerOf(request));
          const records = valuesOf(request.params);
          const isShown = records.length > 0 && (await isUnmasked(deps.connections.reads, identity, records));
          if (!isShown)
            return maskBut(
              new Set([...records, ...valuesOf(request.query)]),
              roles.some((role) => readsReasons.has(role)),
            );
          if (security !== undefined && call.access === "read") noteRead(security, identity, call, request);
          return undefined;
        },
      },
    );
  };
}

/** Reasons are free texts: who decides on acts or checks them reads them. */
const readsReasons: ReadonlySet<Role> = new Set(["support", "operator", "approver", "auditor"]);

/** As the database names it. */
const identityOf = ({ issuer, subject }: CallingOperator) => `${issuer} ${subject}`;

const valuesOf = (given: unknown) => Object.values(given as Readonly<Record<string, string>>);

/** @throws ControlError for an act on a further cell: its database does not know the operator's session */
function depsIn(
  deps: ProductionRoutesDeps,
  { method }: FastifyRequest,
  caller: CallingOperator,
  cell: number,
): ProductionDeps {
  const home = depsOf(deps, caller);
  if (cell === homeCell) return home;
  if (method !== "GET") {
    const message = `Operators act on cell ${cell} by commands: titian --cell ${cell}.`;
    throw new ControlError(409, "notInCell", message);
  }
  const { core } = serviceOfCell(deps.cells ?? { all: () => [] }, cell);
  // The console's role has no connections there: the service's reads, and nothing acts.
  const { pool, clock, numbers } = core;
  const { notifications, byPartnerId } = home;
  return {
    ...home,
    database: pool,
    reads: pool,
    numbers,
    queries: { ...core, keptCalls: home.reads },
    notifications: { ...notifications, clock, reads: pool, database: pool, byPartnerId },
  };
}

type ProductionDeps = Omit<DatabaseCallsDeps, "paymentRequests"> & CellCallsDeps;

function depsOf(
  { core, cells, connections }: ProductionRoutesDeps,
  { sessionSecret }: CallingOperator,
): ProductionDeps {
  const { actEngine, clock, secrets, checkAddress, reference, numbers } = core;
  const { reads } = connections;
  const database = asOperator(connections.database, sessionSecret);
  const byPartnerId = (partnerId: string) => reference.byPartnerId(partnerId);
  const accountsOf = (named: string) => {
    const cell = cellOfAccount(named, listedCells(core));
    return cell === homeCell ? reads : serviceOfCell(cells ?? { all: () => [] }, cell).core.pool;
  };
  const proposing = { engine: actEngine, clock, reads, database, isCarriedOutLater: true };
  return {
    actEngine,
    isCarriedOutLater: true,
    database,
    numbers,
    credentials: core.pool,
    reads,
    clock,
    secrets,
    checkAddress,
    byPartnerId,
    closesWithMoney: false,
    masksNumbers: true,
    accountsOf,
    cellsOfNode: cells,
    queries: { ...core, pool: reads },
    notifications: { clock, reads, database, byPartnerId },
    rails: () => undefined,
    signing: { keys: {} },
    transfers: { decide: (referenceNo, decision) => resolveTransfer(proposing, referenceNo, decision) },
  };
}
