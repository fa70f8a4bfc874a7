/** A node with all that leaves the process: rails (18, 19, 20, 22, 23), and notifications (21, 75, 76) to an endpoint. */
import { generateKeyPairSync } from "node:crypto";
import { formatTimestamp, operations, signRsa } from "@titian/contract";
import type { MovableClock } from "../../packages/server/src/basics/clock.ts";
import { createAddressGuard, sandboxRules } from "../../packages/server/src/notify/address-guard.ts";
import { createDeliverNotifications } from "../../packages/server/src/notify/delivery/deliver-notifications.ts";
import { createHttpClient } from "../../packages/server/src/notify/http-client.ts";
import { createNotificationSigner } from "../../packages/server/src/notify/sign-notification.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleRequestForPayment } from "../../packages/server/src/operations/transfers/request-for-payment.ts";
import { approvePaymentRequest } from "../../packages/server/src/rails/commands/answer-payment-request.ts";
import { confirmReplication } from "../../packages/server/src/store/postgres/confirmation/confirm.ts";
import { createDeliveryPool } from "../../packages/server/src/store/postgres/connect.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { askedAmount } from "../dispatch/dispatch-fixture.ts";
import { type DispatchNode, reference, startDispatchNode } from "../dispatch/nodes/dispatch-node.ts";
import type { Rails } from "../dispatch/nodes/fork-node.ts";
import { callOf } from "../support/administration.ts";
import { credentialsOf } from "../support/edge/credentials.ts";
import { testPartnerShares } from "../support/partner-shares.ts";
import { mayGoOn } from "../support/run-job.ts";

export interface PromotedNode extends DispatchNode {
  /** A request for payment (19) to the account of a conduct; its number. */
  request(payer: string, conduct: string): Promise<string>;
  approve(referenceNo: string): Promise<void>;
  /** All jobs once; what fails is tried again. */
  work(): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly clock: MovableClock;
  readonly rails: Rails;
  readonly partner: string;
  /** Base URL of the partner's endpoint. */
  readonly endpoint: string;
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const version = "v1.0";
const timeoutMs = 2_000;

/** As a service opens its connections. */
export async function openConfirmed(url: string, name: string): Promise<Session> {
  const session = await openSession(url, name);
  await confirmReplication(session).catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  return session;
}

export async function startPromotedNode({ url, clock, rails, partner, endpoint }: Options): Promise<PromotedNode> {
  const node = await startDispatchNode({
    url,
    clock,
    rails,
    interbankWaitMs: 100,
    open: () => openConfirmed(url, "dispatch"),
  });
  const database = createDeliveryPool(url, 3);
  const client = createHttpClient({ guard: createAddressGuard(sandboxRules), timeoutMs, connections: 8 });
  const sign = async (text: string) => signRsa(privateKey, text);
  const terms = { channelId: "95221", signing: "asymmetric", signedPath: "whole" } as const;
  const deliver = createDeliverNotifications({
    clock,
    client,
    signer: createNotificationSigner({ sign, clientId: "titian", version, client, real: Date.now }),
    version,
    database,
    writeNotification: async ({ id }) => Buffer.from(JSON.stringify({ id })),
    endpoints: () => new Map([[partner, { ...terms, partner, partnerId: partner, address: endpoint }]]),
    endpointsAgeMs: () => 0,
    timeoutMs,
    events: { attempted: () => undefined, unconfirmed: () => undefined, failed: () => undefined },
  });
  const deps = { engine: node.engine, clock, reads: createReads(node.reads), readShares: testPartnerShares() };
  const handle = handleRequestForPayment({ ...deps, reference: () => reference });
  return {
    ...node,
    request: async (sourceAccountNo, beneficiaryAccountNo) => {
      const request = {
        partnerReferenceNo: crypto.randomUUID(),
        bankCode: "014",
        beneficiaryAccountNo,
        beneficiaryAccountName: "Siti",
        expiredDatetime: formatTimestamp(clock.now() + 30 * 86_400_000),
        sourceAccountNo,
        sourceAccountName: "Siti",
      };
      const call = callOf({ clock }, credentialsOf(partner), { operation: operations.requestForPayment, request });
      return String((await handle(call)).fields?.["referenceNo"]);
    },
    approve: async (referenceNo) => {
      const sender = node.dispatcher.sender;
      await approvePaymentRequest({ ...node, sender }, referenceNo, { amount: minor(askedAmount), by: "payer" });
    },
    work: async () => {
      await node.look().catch(() => undefined);
      await deliver.run(mayGoOn).catch(() => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      await deliver.close();
      await node[Symbol.asyncDispose]();
      await Promise.all([client.close(), database.end()]);
    },
  };
}
