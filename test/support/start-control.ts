/** A node with the sandbox's control API and nothing else, over real sockets. */
import assert from "node:assert/strict";
import Fastify from "fastify";
import { createSessions } from "../../packages/control/src/sessions/sessions.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createSandboxRoutes } from "../../packages/sandbox/src/control/sandbox-routes.ts";
import { followFaults } from "../../packages/sandbox/src/faults/follow-faults.ts";
import { followMovedClock } from "../../packages/sandbox/src/moved-clock.ts";
import { openCallRecordOfNobody } from "./call-records.ts";
import { checkControlAnswer } from "./control-rows.ts";
import { startNode } from "./administration.ts";
import { newProviderKey } from "./provider-key.ts";

export const controlToken = "a-control-token-of-the-tests";

/** The members of every response looked at below; a call gives those of its own. */
export interface ControlBody {
  readonly accountNo: string;
  readonly accountId: string;
  readonly currency: string;
  readonly status: string;
  readonly type: string;
  readonly ledgerBalance: string;
  readonly accounts: readonly { readonly accountNo: string }[];
  readonly count: { readonly rows: number; readonly isExact: boolean };
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
  readonly now: string;
  readonly pending: number;
  readonly notificationNetworks: readonly string[];
  readonly rateLimit: unknown;
  readonly authCode: string;
  readonly error: { readonly code: string; readonly field?: string; readonly message: string };
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: ControlBody;
}

/** A node with nothing but its control API. */
export async function startControl(url: string) {
  const node = await startNode(url);
  const serving = { ...node, database: node.adminPool };
  const movedClock = await followMovedClock(serving);
  const faults = await followFaults(serving);
  const byPartnerId = (partnerId: string) => node.reference.byPartnerId(partnerId);
  const routes = createSandboxRoutes({
    ...node,
    movedClock,
    faults,
    due: { settle: async () => undefined, pending: async () => 0 },
    rails: () => undefined,
    transfers: { decide: async () => undefined },
    paymentRequests: { find: async () => undefined, approve: assert.fail, decline: assert.fail },
    access: { controlToken, sessions: createSessions(controlToken, node.clock), hasProxies: false },
    audit: () => runAudit(url, { providerKeys: [newProviderKey()] }),
    testReceiver: async () => undefined,
    byPartnerId,
    notifications: { ...serving, byPartnerId },
    queries: { ...node, pool: node.reads },
    signing: { ...node, byPartnerId, keys: {}, issueToken: assert.fail, place: assert.fail },
    calls: openCallRecordOfNobody(node.clock),
  });
  const app = Fastify({ logger: false });
  app.register(routes, { prefix: "/sandbox" });
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<ControlAnswer> => {
    const isText = typeof body === "string";
    const response = await fetch(`${baseUrl}/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) checkControlAnswer(method, path, answer);
    return { status: response.status, body: answer as ControlBody };
  };
  const close = async () => {
    await app.close();
    await movedClock.close();
    await faults.close();
    await node.close();
  };
  return { node, movedClock, faults, baseUrl, call, close };
}
