/** Operation 17 through its handler and the engine, without HTTP: on PostgreSQL, or over a session in memory. */
import { hash } from "node:crypto";
import { formatTimestamp, operations } from "@titian/contract";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { createPartnerShares } from "../../packages/server/src/operations/partner-shares.ts";
import { handleIntrabankTransfer } from "../../packages/server/src/operations/transfers/intrabank-transfer.ts";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { createReads } from "../../packages/server/src/store/reads/reads.ts";
import { credentialsOf } from "../../test/support/edge/credentials.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { benchReference } from "../bench-reference.ts";
import { openMemorySession } from "../layers/memory-session.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LedgerSettings } from "./load-settings.ts";
import { serveWindows } from "./serve-windows.ts";

export interface HandlerSettings extends LedgerSettings {
  readonly isInMemory: boolean;
}

/** Time that a caller waits for its outcome. */
const waitsMs = 10_000;

serveWindows<HandlerSettings>(async ({ url, partner, accountNumbers, isInMemory }) => {
  const clock = createClock();
  const reference = () => benchReference;
  const open = () => (isInMemory ? openMemorySession(url) : openSession(url, "bench handler"));
  const handle = handleIntrabankTransfer({
    engine: await createEngine({ open, clock, reference }),
    clock,
    reads: createReads(createReadPool(url, 4)),
    readShares: createPartnerShares({ running: 4, runningOfOnePartner: 4, waiting: 0, waitingOfOnePartner: 0 }),
    reference,
  });
  const credentials = credentialsOf(partner);
  const nextId = createIds();

  return (window) => {
    const pick = createPicker(accountNumbers, window.load);
    const call = async () => {
      const id = nextId();
      const { from, to } = pick();
      const now = Date.now();
      const reply = await handle({
        operation: operations.intrabankTransfer,
        partner: credentials,
        externalId: id,
        signature: id,
        sentAt: now,
        windowEndsAt: now + waitsMs,
        request: {
          partnerReferenceNo: id,
          amount: { value: "1.00", currency: "IDR" },
          beneficiaryAccountNo: to,
          sourceAccountNo: from,
          transactionDate: formatTimestamp(now),
        },
        bodyHash: hash("sha256", id),
        freeForm: new Map(),
        correlationId: id,
      });
      if (reply.case !== "success") throw new Error(`A call was answered ${JSON.stringify(reply)}.`);
    };
    return Promise.resolve(() => runClosedLoop(window, call));
  };
});
