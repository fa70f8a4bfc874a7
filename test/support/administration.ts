/** A node without an edge on a test's database: engine, reference data, and what administration needs. */
import { hash, randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { createReferenceData, type ReferenceData } from "../../packages/server/src/admin/reference/reference-data.ts";
import type { Call, PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import { createClock, type MovableClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine, type Engine } from "../../packages/server/src/engine/engine.ts";
import type { CheckAddress } from "../../packages/server/src/interfaces/notifications.ts";
import { createLog, type Log } from "../../packages/server/src/observability/log.ts";
import { ensureSealingKey } from "../../packages/server/src/compose/observe/watch-sealing-key.ts";
import { createSecrets, type MasterKeys, type Secrets } from "../../packages/server/src/basics/secrets.ts";
import type { WriteDeps } from "../../packages/server/src/operations/write.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { administrationUrlOf } from "./database/template.ts";
import { rails } from "./rails.ts";
import { testPartnerShares } from "./partner-shares.ts";
import { newSentAt } from "./edge/sent-at.ts";
import { paymentRequestLimits } from "./payment-request-limits.ts";

export interface TestNode extends AsyncDisposable {
  readonly url: string;
  readonly clock: MovableClock;
  readonly log: Log;
  readonly logLines: string[];
  readonly secrets: Secrets;
  readonly reads: Pool;
  /** As administration. */
  readonly database: Pool;
  /** As the service. */
  readonly adminPool: Pool;
  readonly engine: Engine;
  /** For what is done by an act. */
  readonly actEngine: Engine;
  readonly reference: ReferenceData;
  /** As `PartnerDeps` names them; any notification address is accepted. */
  readonly refresh: () => Promise<void>;
  readonly checkAddress: CheckAddress;
  close(): Promise<void>;
}

const readShares = testPartnerShares();

/** Dependencies of a write operation, from a node. */
export function writeDepsOf({ engine, clock, reads, reference }: TestNode): WriteDeps {
  return { engine, clock, reads: createReads(reads), readShares, reference: () => reference.current() };
}

type NewCall = Pick<Call, "operation" | "request"> & Partial<Pick<Call, "externalId" | "signature">>;

/** A call as the edge gives it to an operation. */
export function callOf(
  { clock }: Pick<TestNode, "clock">,
  partner: PartnerCredentials,
  { operation, request, externalId = randomUUID(), signature = randomUUID() }: NewCall,
): Call {
  return {
    operation,
    partner,
    externalId,
    signature,
    sentAt: newSentAt(),
    windowEndsAt: clock.real() + 60_000,
    request,
    bodyHash: hash("sha256", JSON.stringify(request)),
    freeForm: new Map(),
    correlationId: "test",
  };
}

/** One for all nodes of a test file, and for the commands it runs: what one seals, the others open. */
export const masterKeys: MasterKeys = { current: randomBytes(32) };

export async function startNode(url: string): Promise<TestNode> {
  const clock = createClock();
  const logLines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void logLines.push(line) } });
  const secrets = createSecrets(masterKeys);
  const reads = createReadPool(url, 4);
  const database = createAdminPool(administrationUrlOf(url), 4);
  const adminPool = createAdminPool(url, 4);
  await ensureSealingKey({ adminPool, secrets, log }, { isStart: true });
  const terms = { idempotencyWindowMs: 86_400_000, holdEventsMax: 1_000, paymentRequests: paymentRequestLimits, rails };
  const reference = await createReferenceData({ reads, secrets, clock, log, terms });
  const startEngine = (to: string) =>
    createEngine({ open: () => openSession(to, "test engine"), clock, reference: () => reference.current() });
  const engine = await startEngine(url);
  const actEngine = await startEngine(administrationUrlOf(url));
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    await engine.close();
    await actEngine.close();
    await reference.close();
    await Promise.all([reads, database, adminPool].map((pool) => pool.end()));
  };
  const close = () => {
    closed ??= closeAll();
    return closed;
  };
  return {
    url,
    clock,
    log,
    logLines,
    secrets,
    reads,
    database,
    adminPool,
    engine,
    actEngine,
    reference,
    close,
    refresh: () => reference.refresh(),
    checkAddress: async () => undefined,
    [Symbol.asyncDispose]: close,
  };
}
