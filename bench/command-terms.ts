/** What the commands of all in-process windows share. */
import { loadRailData } from "../packages/server/src/admin/rail-data/rail-data.ts";
import { shortBodyHash } from "../packages/server/src/engine/batch/idempotency-keys.ts";
import type { Reference } from "../packages/server/src/engine/reference-data.ts";

/** The most captures that one hold takes: the highest TITIAN_HOLD_EVENTS_MAX. */
export const capturesPerHoldMax = 10_000;

/** What `decide` is handed beside the locked rows. */
export const benchReference: Reference = {
  version: 1,
  partners: new Map(),
  merchants: new Map(),
  idempotencyWindowMs: 86_400_000,
  holdEventsMax: capturesPerHoldMax,
  rails: loadRailData({ ownBankCode: "999" }),
};

/** Nothing looks at a body's hash but a repeat. */
export const bodyHash = shortBodyHash("ab".repeat(32));

/** How long a caller waits for its outcome. */
export const commandTimeoutMs = 10_000;
