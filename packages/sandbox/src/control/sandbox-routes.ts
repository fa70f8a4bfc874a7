/**
 * The control API of the sandbox (`/sandbox/*`): how tests steer a running service. Every call carries the control
 * token, or a session of the console, and has taken effect on this node before it is answered.
 */
import {
  answerError,
  authenticate,
  type CallFailure,
  checkPage,
  controlCalls,
  type ControlDeps,
  ControlError,
  describeCalls,
  isDescription,
  isSessionCall,
  noteReads,
  oneATurn,
  serveCalls,
} from "@titian/control";
import { type AuditReport, type AuthCodeDeps, homeCell, oneAtATime, type SecurityLog } from "@titian/server/admin";
import type { Log } from "@titian/server/rails";
import type { FastifyPluginAsync } from "fastify";
import { operationCalls, type OperationCallsDeps } from "../try/operation-calls.ts";
import { authCodeCalls } from "./auth-code-calls.ts";
import type { SandboxCells } from "./cell-deps.ts";
import { clockCalls, type ClockCallsDeps } from "./clock-calls.ts";
import { faultCalls, type FaultCallsDeps } from "./fault-calls.ts";
import { newPartnerCalls, type NewPartnerCallsDeps } from "./new-partner-calls.ts";
import { receiverTestCalls, type ReceiverTestCallsDeps } from "./receiver-test-calls.ts";

/** The sandbox's own calls. */
export const sandboxCalls = [
  ...operationCalls,
  ...authCodeCalls,
  ...clockCalls,
  ...faultCalls,
  ...newPartnerCalls,
  ...receiverTestCalls,
] as const;

const allCalls = [...controlCalls, ...sandboxCalls];

type SandboxCallsDeps = AuthCodeDeps &
  ClockCallsDeps &
  FaultCallsDeps &
  NewPartnerCallsDeps &
  OperationCallsDeps &
  ReceiverTestCallsDeps;

export type SandboxRoutesDeps = Omit<ControlDeps & SandboxCallsDeps, "closesWithMoney"> & {
  /** Absent: there is home alone. */
  readonly cells?: SandboxCells;
  readonly log: Log;
  /** Where reads of customers' records are noted; absent: nowhere. */
  readonly security?: SecurityLog | undefined;
};

/** Browsers read the responses too, and some of them hold credentials. */
const answerHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** To be mounted under `/sandbox`. */
export function createSandboxRoutes(deps: SandboxRoutesDeps): FastifyPluginAsync {
  const turn = oneATurn();
  const audit = oneAtATime<AuditReport>(deps.audit);
  return async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      reply.headers(answerHeaders);
      const { url } = request.routeOptions;
      if (isDescription(url)) return;
      // Callers without a session yet take no turns of those who have one.
      if (isSessionCall(url)) return checkPage(request);
      authenticate(request, deps.access);
      await turn();
    });
    app.setErrorHandler((error, request, reply) => answerError(reportTo(deps.log), error, request, reply));
    app.setNotFoundHandler(({ method, url }) => {
      const message = `This release's sandbox has no ${method} ${url.split("?")[0]}; calls come with the operations they are for.`;
      throw new ControlError(404, "unknownCall", message);
    });
    const { cells } = deps;
    describeCalls(app, allCalls, cells?.isChosen === true);
    // Answers about a closed account are to be tried with accounts that were in use; spec D9 asks only that
    // nothing is held.
    const served: ControlDeps & SandboxCallsDeps = { ...deps, audit, closesWithMoney: true };
    const depsOf = (cell: number): typeof served =>
      cells === undefined || cell === homeCell ? served : { ...served, ...cells.depsOf(cell) };
    serveCalls<typeof served>(app, allCalls, (_request, cell) => depsOf(cell), {
      onRead: noteReads(deps.security, "titian control"),
      cells,
    });
  };
}

/** For `answerError`. */
export const reportTo = (log: Log) => (failure: CallFailure) =>
  log.error("sandbox.control_call_failed", "A control call of the sandbox failed.", { ...failure });
