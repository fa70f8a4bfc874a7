/** The calls of a database, made by a program that is a node for a moment: mounted as elsewhere, and without a socket. */
import {
  approvePaymentRequest,
  beneficiariesByAddress,
  type Core,
  declinePaymentRequest,
  findPaymentRequest,
  type GrantedAccounts,
  resolveTransfer,
} from "@titian/server/admin";
import Fastify from "fastify";
import { ControlError } from "../control-error.ts";
import { databaseCalls, type DatabaseCallsDeps } from "../database-calls.ts";
import type { Method } from "../rows/define-call.ts";
import { serveCalls } from "../rows/serve-calls.ts";

export { openAccounts } from "./open-accounts.ts";

export interface InProcessRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** JSON. */
  readonly body: string | undefined;
}

export interface InProcessAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/**
 * `accounts`: of further cells, for calls about what home has of them; absent: there is home alone.
 * @throws what a call threw that could not be carried out, as it was thrown
 */
export function serveInProcess(
  core: Core,
  accounts?: GrantedAccounts,
): (request: InProcessRequest) => Promise<InProcessAnswer> {
  const app = Fastify({ logger: false });
  /** Errors by the request that met them. */
  const failures = new WeakMap<object, { readonly error: unknown }>();
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ControlError) return reply.code(error.status).send(error.body);
    failures.set(request.raw, { error });
    return reply.code(500).send();
  });
  const deps = { ...depsOf(core), ...(accounts?.accountsOf && { accountsOf: accounts.accountsOf }) };
  serveCalls(app, databaseCalls, () => deps);
  return async ({ method, path, body }) => {
    const payload = body === undefined ? {} : { payload: body };
    // The method is that of a row.
    const answer = await app.inject({ method: method as Method, url: path, ...payload });
    const failure = failures.get(answer.raw.req);
    if (failure !== undefined) throw failure.error;
    return { status: answer.statusCode, text: answer.payload };
  };
}

/** One role does all; what moves money is an operator's word, and a node of the service submits what follows from it. */
function depsOf(core: Core): DatabaseCallsDeps {
  const {
    actEngine,
    engine,
    adminPool: database,
    pool: reads,
    clock,
    reference,
    secrets,
    checkAddress,
    numbers,
  } = core;
  const byPartnerId = (partnerId: string) => reference.byPartnerId(partnerId);
  const answerDeps = { engine, clock, reads, otherCells: beneficiariesByAddress(core) };
  return {
    actEngine,
    database,
    numbers,
    reads,
    clock,
    secrets,
    checkAddress,
    byPartnerId,
    closesWithMoney: false,
    queries: core,
    notifications: { clock, reads, database, byPartnerId },
    rails: () => undefined,
    signing: { keys: {} },
    transfers: {
      decide: async (referenceNo, decision) => {
        await checkClocks(core);
        return resolveTransfer({ engine: actEngine, clock, reads, database, cell: core.cell }, referenceNo, decision);
      },
    },
    paymentRequests: {
      find: (referenceNo) => findPaymentRequest(core, referenceNo),
      approve: async (referenceNo, amount) => {
        await checkClocks(core);
        return approvePaymentRequest(answerDeps, referenceNo, { amount, by: "operator" });
      },
      decline: async (referenceNo) => {
        await checkClocks(core);
        return declinePaymentRequest(answerDeps, referenceNo, "operator");
      },
    },
  };
}

async function checkClocks({ clockCheck }: Core): Promise<void> {
  if (await clockCheck.agrees()) return;
  const message = "The clocks of this machine and the database differ by more than 5 s: correct them first.";
  throw new ControlError(409, "clocksDiffer", message);
}
